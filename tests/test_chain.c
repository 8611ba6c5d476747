// The chain of frames: one that is missing, repeated or moved is damage, though each frame is whole.

#include "log_file_help.h"
#include "run_codec.h"
#include "suite.h"

// --- Saves in another order ------------------------------------------------------------------------------------------

// The bytes of the frames as they are, in this order.
static save join(const save *from, const frames *frames)
{
    save whole = {malloc(2 * from->size), FILE_HEAD};
    memcpy(whole.bytes, from->bytes, FILE_HEAD);
    for (int i = 0; i < frames->count; i++) {
        const size_t size = (size_t)frame_size(frames->all[i].size);
        memcpy(whole.bytes + whole.size, frames->all[i].payload - FRAME_HEAD, size);
        whole.size += size;
    }
    return whole;
}

// Where two saves begin to differ: at the first byte of a frame of the second.
static uint64_t parting(const save *one, const save *other)
{
    const frames a = frames_of(one), b = frames_of(other);
    int same = 0;
    while (same < a.count && same < b.count && a.all[same].size == b.all[same].size &&
           a.all[same].kind == b.all[same].kind && !memcmp(a.all[same].payload, b.all[same].payload, a.all[same].size))
        same++;
    return same < b.count ? b.all[same].offset : other->size;
}

// Calls `look` with each save that is this one but for one frame behind the header: it is missing (`to` < 0), there
// once more, or elsewhere.
static void each_change(const save *whole, void (*look)(const save *changed, uint64_t where, void *context),
                        void *context)
{
    const frames frames = frames_of(whole);
    for (int i = 1; i < frames.count; i++) {
        for (int to = -1; to <= frames.count; to++) {
            for (int twice = 0; twice < 2 && (to != 0); twice++) {
                struct frames other = frames;
                const save_frame frame = frames.all[i];
                if (!twice)
                    remove_frame(&other, i);
                if (to > other.count || (to < 0 && twice))
                    continue;
                if (to > 0)
                    insert_frame(&other, to, frame.kind, frame.payload, frame.size);
                save changed = join(whole, &other);
                if (changed.size != whole->size || memcmp(changed.bytes, whole->bytes, whole->size))
                    look(&changed, parting(whole, &changed), context);
                free(changed.bytes);
            }
        }
    }
}

// --- Loads -----------------------------------------------------------------------------------------------------------

typedef struct way {
    const kifu_codec *codec;
    int looked, named;
} way;

static void expect_damage(const save *changed, uint64_t where, void *context)
{
    way *way = context;
    kifu_timeline *timeline;
    kifu_error error = {.message = ""};
    const kifu_load_options options = {.codec = way->codec};
    way->looked++;
    kifu_result result =
        kifu_load_from_memory(&lab_rules, changed->bytes, changed->size, NULL, &options, &timeline, &error);
    ck_assert_int_eq(result, KIFU_DAMAGED);
    ck_assert_uint_ge(error.offset, where);
    const char *words = strstr(error.message, "is missing, repeated or moved");
    unsigned long long first, last;
    if (!words) // It is cut off, goes on behind its end, or what it says cannot be.
        return;
    way->named++;
    ck_assert_int_eq(
        sscanf(strstr(error.message, "between"), "between byte %llu and the frame at byte %llu", &first, &last), 2);
    ck_assert_uint_le(first, where);
    ck_assert_uint_gt(first, FILE_HEAD); // The header is behind nothing.
    ck_assert_uint_eq(last, error.offset);
}

START_TEST(F54_a_frame_that_is_missing_repeated_or_moved_is_damage)
{
    const kifu_codec *const codecs[] = {NULL, &run_codec, &kifu_compact};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        for (int waiting = 0; waiting < 2; waiting++) {
            kifu_timeline *lab = waiting ? waiting_game(NULL) : rich_game(NULL);
            way way = {.codec = codecs[i]};
            save whole = save_of(lab, &(kifu_save_options){.codec = codecs[i]});
            each_change(&whole, expect_damage, &way);
            ck_assert_int_gt(way.looked, codecs[i] ? 2 : 5); // All that is packed is in one frame.
            if (!codecs[i])
                ck_assert_int_gt(way.named, way.looked / 3);
            free(whole.bytes);
            kifu_destroy(lab);
        }
    }
}
END_TEST

// The links are where FlatBuffers tools and readers of frames do not look.
START_TEST(F54_a_header_says_that_its_file_is_chained)
{
    kifu_timeline *lab = rich_game(NULL);
    for (int packed = 0; packed < 2; packed++) {
        save whole = save_of(lab, &(kifu_save_options){.codec = packed ? &run_codec : NULL});
        const frames frames = frames_of(&whole);
        ck_assert_mem_eq(frames.all[0].payload + 4, "LINK", 4);
        for (int i = 0; i < frames.count; i++)
            ck_assert_uint_eq(get32(whole.bytes + frames.all[i].offset + 12), 0);
        free(whole.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

// The save, whose header says nothing of links, with a checksum that is right.
static void remove_mark(save *save)
{
    const frames frames = frames_of(save);
    unsigned char *head = save->bytes + FILE_HEAD;
    memset(head + FRAME_HEAD + LINK, 0, LINK_SIZE);
    set32(head + 4, crc_of(crc_of(0, head + 8, 8), head + FRAME_HEAD, frames.all[0].size));
}

static bool no_save(void *context, const kifu_save_info *info)
{
    (void)context, (void)info;
    ck_abort_msg("this is no save");
    return true;
}

static void expect_no_mark(const kifu_error *error)
{
    ck_assert_ptr_nonnull(strstr(error->message, "header has no \"LINK\""));
    ck_assert_ptr_nonnull(strstr(error->message, "get another copy of the save"));
    ck_assert_uint_eq(error->offset, FILE_HEAD);
}

START_TEST(F54_a_save_whose_header_says_nothing_of_links_is_refused)
{
    kifu_timeline *lab = rich_game(NULL), *loaded;
    for (int packed = 0; packed < 2; packed++) {
        const kifu_codec *codec = packed ? &run_codec : NULL;
        save whole = save_of(lab, &(kifu_save_options){.codec = codec});
        remove_mark(&whole);
        for (int recover = 0; recover < 2; recover++) {
            const kifu_load_options options = {.codec = codec, .recover = recover ? kifu_recover : NULL};
            kifu_error error = {.message = ""};
            ck_assert_int_eq(
                kifu_load_from_memory(&lab_rules, whole.bytes, whole.size, NULL, &options, &loaded, &error),
                KIFU_DAMAGED);
            expect_no_mark(&error);
        }
        char *folder = new_folder();
        kifu_error error = {.message = ""};
        write_bytes(in_folder(folder, "a.kifu"), whole.bytes, whole.size);
        ck_assert_int_eq(kifu_read_save_info(in_folder(folder, "a.kifu"), no_save, NULL, NULL, &error), KIFU_DAMAGED);
        expect_no_mark(&error);
        remove_folder(folder);
        free(whole.bytes);
    }
    kifu_destroy(lab);
}
END_TEST

// --- Log files -------------------------------------------------------------------------------------------------------

enum { MOST_APPENDS = 12 };

// A log file, and the game as each append left it.
typedef struct story {
    save file;
    size_t sizes[MOST_APPENDS];
    kifu_timeline *then[MOST_APPENDS];
    int count;
} story;

static void note(story *story, kifu_timeline *lab, const char *path)
{
    ck_assert_int_lt(story->count, MOST_APPENDS);
    story->sizes[story->count] = size_of(path);
    story->then[story->count++] = reload(lab, NULL);
}

static story tell(void)
{
    static const char *const plays[] = {"+", "+(2)(3)", "-", "r", "+r1(+2)"};
    story story = {.count = 0};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
    note(&story, lab, path);
    for (int i = 0; i < 8; i++) {
        if (i == 3)
            lab_must(lab, kifu_undo(lab));
        else if (i == 5)
            lab_submit_p_add(lab, 0, 5);
        else
            lab_must(lab, lab_play(lab, plays[i % 5]));
        lab_must(lab, kifu_log_append(lab));
        note(&story, lab, path);
    }
    story.file.bytes = read_bytes(path, &story.file.size);
    kifu_destroy(lab);
    remove_folder(folder);
    return story;
}

static void end(story *story)
{
    for (int i = 0; i < story->count; i++)
        kifu_destroy(story->then[i]);
    free(story->file.bytes);
}

// All that was written before is there; what follows may not be used.
// With those that redo can bring back.
static uint32_t all_events(kifu_timeline *lab)
{
    kifu_timeline *copy = reload(lab, NULL);
    while (kifu_can_redo(copy, NULL))
        lab_must(copy, kifu_redo(copy));
    const uint32_t count = kifu_event_count(copy);
    kifu_destroy(copy);
    return count;
}

static void expect_recovered(const save *changed, uint64_t where, void *context)
{
    const story *story = context;
    kifu_timeline *loaded;
    kifu_recovery recovery;
    kifu_error error = {.message = ""};
    int last = -1;
    while (last + 1 < story->count && story->sizes[last + 1] <= where)
        last++;
    kifu_result result = recover_bytes(changed->bytes, changed->size, &loaded, &recovery, &error);
    ck_assert_msg(last < 0 || result == KIFU_OK, "%s", error.message);
    if (last >= 0) {
        ck_assert_int_eq(recovery.why.result, KIFU_DAMAGED);
        ck_assert_uint_eq(recovery.dropped, changed->size - story->sizes[last]);
        expect_same(loaded, story->then[last]);
    } else if (loaded) // of the first frames: the events that are chained
        ck_assert_uint_le(kifu_event_count(loaded), all_events(story->then[0]));
    kifu_destroy(loaded);
}

START_TEST(F54_recovery_keeps_what_was_appended_before_the_damage)
{
    story story = tell();
    each_change(&story.file, expect_recovered, &story);
    end(&story);
}
END_TEST

// A file that goes on after its end was torn off, or that was written anew, is chained as well.
START_TEST(F54_a_log_file_stays_chained_when_an_append_failed)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    kifu_timeline *lab = rich_game(NULL);
    lab_must(lab, kifu_log_open(lab, path, NULL));
    for (int i = 0; i < 4; i++) {
        lab_must(lab, lab_play(lab, "+"));
        if (i == 2) { // Another program's file stays as it is, until it is moved away.
            write_bytes(path, "gone", 4);
            ck_assert_int_eq(kifu_log_append(lab), KIFU_CHANGED);
            ck_assert_int_eq(remove(path), 0);
        }
        lab_must(lab, kifu_log_append(lab));
        expect_in_file(lab, path);
    }
    kifu_destroy(lab);
    remove_folder(folder);
}
END_TEST

// Whoever makes checksums and links right gets a reason, or a game; never a crash. The sanitizers watch.
START_TEST(F54_hostile_frames_with_right_links_do_no_harm)
{
    story story = tell();
    kifu_timeline *lab = waiting_game(NULL);
    const save saves[] = {story.file, save_of(lab, &(kifu_save_options){.without_schema = true})};
    uint32_t seed = (uint32_t)fuzz_seed() * 7919;
    unsigned long steps = fuzz_steps(2000), loaded_count = 0;
    for (unsigned long i = 0; i < steps; i++) {
        const save *from = &saves[i % 2];
        save mutant = {malloc(from->size), from->size};
        memcpy(mutant.bytes, from->bytes, from->size);
        frames frames = frames_of(&mutant);
        for (uint32_t change = next_random(&seed) % 4; change < 4; change++) {
            const int at = (int)(next_random(&seed) % (uint32_t)frames.count);
            const save_frame frame = frames.all[at];
            const uint32_t what = next_random(&seed) % 5;
            if (what == 0 && frames.count > 2)
                remove_frame(&frames, at);
            else if (what == 1 && frames.count < MOST_FRAMES)
                insert_frame(&frames, (int)(next_random(&seed) % (uint32_t)frames.count), frame.kind, frame.payload,
                             frame.size);
            else if (what == 2)
                frames.all[at].kind = next_random(&seed) % (FRAME_ROOT + 1);
            else if (what == 3)
                frames.all[at].size = next_random(&seed) % (frame.size + 1);
            else if (frame.size)
                ((unsigned char *)(uintptr_t)frame.payload)[next_random(&seed) % frame.size] ^=
                    (unsigned char)next_random(&seed);
        }
        save sealed = save_of_frames(&frames);
        kifu_timeline *loaded;
        kifu_recovery recovery;
        kifu_error error = {.message = ""};
        if (recover_bytes(sealed.bytes, sealed.size, &loaded, &recovery, &error))
            ck_assert_uint_gt(strlen(error.message), 20);
        else
            loaded_count++;
        kifu_destroy(loaded);
        free(sealed.bytes);
        free(mutant.bytes);
    }
    ck_assert_uint_gt(loaded_count, steps / 20);
    free(saves[1].bytes);
    kifu_destroy(lab);
    end(&story);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F54_a_frame_that_is_missing_repeated_or_moved_is_damage,
        F54_a_header_says_that_its_file_is_chained,
        F54_a_save_whose_header_says_nothing_of_links_is_refused,
        F54_recovery_keeps_what_was_appended_before_the_damage,
        F54_a_log_file_stays_chained_when_an_append_failed,
        F54_hostile_frames_with_right_links_do_no_harm,
    };
    return run_suite("chain", tests, sizeof tests / sizeof *tests);
}
