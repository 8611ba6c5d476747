// Trees with notes in files of every kind, in which bytes have changed while all checksums are right: they are refused,
// or loaded and played on, with variations and notes or without.

#include "save_help.h"
#include "run_codec.h"
#include "suite.h"
#include "tree_help.h"

static const kifu_codec *const codecs[] = {NULL, &run_codec, &kifu_compact};
enum { KINDS = 4 }; // The last one is a log file.

static save file_of(uint32_t kind, uint32_t current)
{
    kifu_options options = keeping;
    options.keep_notes = kifu_keep_notes;
    kifu_timeline *tree = small_tree(current), *lab;
    save save = save_of(tree, NULL);
    lab = load_by(&save, &options, NULL);
    free(save.bytes);
    for (uint32_t line = 0; line < 4; line++)
        lab_must(lab, kifu_set_line_note(lab, line, 1, line % 2 ? "a" : KIFU_NOTE_COMMENT, "here"));
    if (kind + 1 < KINDS)
        save = save_of(lab, &(kifu_save_options){.without_schema = true, .codec = codecs[kind]});
    else {
        char *folder = new_folder();
        const char *path = in_folder(folder, "log.kifu");
        lab_must(lab, kifu_log_open(lab, path, &(kifu_save_options){.without_schema = true}));
        lab_must(lab, kifu_go_to(lab, (current + 1) % 4, KIFU_WHERE_LEFT, true));
        lab_must(lab, kifu_log_append(lab));
        lab_must(lab, kifu_set_line_note(lab, 1, 1, "a", NULL));
        lab_must(lab, kifu_log_append(lab));
        save.bytes = read_bytes(path, &save.size);
        remove_folder(folder);
    }
    kifu_destroy(lab);
    kifu_destroy(tree);
    return save;
}

// The records of a commit, if it falls upon one: the caller's.
static unsigned char *change_commit(frames *frames, kifu_rng *rng)
{
    static unsigned char room[3][256];
    save_frame *frame = &frames->all[kifu_rng_below(rng, (uint32_t)frames->count)];
    if (frame->kind != FRAME_COMMIT)
        return NULL;
    records records = records_of(frame);
    for (uint32_t k = 1 + kifu_rng_below(rng, 3); k > 0; k--)
        change_records(&records, rng, room[k - 1]);
    unsigned char *payload = payload_of_records(&records, &frame->size);
    frame->payload = payload;
    return payload;
}

static void change(frames *frames, kifu_rng *rng)
{
    const int at = 1 + (int)kifu_rng_below(rng, (uint32_t)frames->count - 1);
    save_frame *frame = &frames->all[at];
    unsigned char *payload = (unsigned char *)(uintptr_t)frame->payload;
    const uint32_t what = kifu_rng_below(rng, 8);
    if (what == 0 && frames->count < MOST_FRAMES)
        insert_frame(frames, 1 + (int)kifu_rng_below(rng, (uint32_t)frames->count - 1), frame->kind, payload,
                     frame->size);
    else if (what == 1 && at + 1 < frames->count)
        remove_frame(frames, at);
    else if (what == 2)
        frame->kind = 1 + kifu_rng_below(rng, FRAME_ROOT);
    else if (what < 5 && frame->size >= 4)
        set32(payload + kifu_rng_below(rng, frame->size / 4) * 4, kifu_rng_below(rng, 12));
    else if (frame->size)
        payload[kifu_rng_below(rng, frame->size)] ^= (unsigned char)(1U << kifu_rng_below(rng, 8));
}

START_TEST(V06_hostile_files_of_every_kind_do_no_harm)
{
    save files[4 * KINDS];
    kifu_rng rng;
    unsigned long loaded = 0;
    const unsigned long rounds = fuzz_steps(6000);
    kifu_rng_seed(&rng, fuzz_seed(), 13);
    for (uint32_t i = 0; i < 4 * KINDS; i++)
        files[i] = file_of(i / 4, i % 4);
    for (unsigned long round = 0; round < rounds; round++) {
        const uint32_t which = kifu_rng_below(&rng, 4 * KINDS), with = kifu_rng_below(&rng, 8);
        save copy = {(unsigned char *)malloc(files[which].size), files[which].size};
        memcpy(copy.bytes, files[which].bytes, copy.size);
        frames frames = frames_of(&copy);
        unsigned char *own = change_commit(&frames, &rng);
        for (uint32_t k = kifu_rng_below(&rng, own ? 2 : 3) + !own; k > 0; k--)
            change(&frames, &rng);
        save bad = save_of_frames(&frames);
        const kifu_options options = {.hash_interval = 3,
                                      .keep_variations = with & 1 ? kifu_keep_variations : NULL,
                                      .keep_notes = with & 2 ? kifu_keep_notes : NULL};
        const kifu_load_options how = {
            .codec = which / 4 < 3 ? codecs[which / 4] : NULL,
            .recover = which / 4 == 3 || with & 4 ? kifu_recover : NULL,
            .fast = round % 2,
        };
        kifu_timeline *lab;
        kifu_error error;
        if (!kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &options, &how, &lab, &error)) {
            use_tree(lab);
            loaded++;
        } else
            must_be(strlen(error.message) > 10);
        kifu_destroy(lab);
        free(own);
        free(bad.bytes);
        free(copy.bytes);
    }
    ck_assert_uint_gt(loaded, rounds / 50);
    for (uint32_t i = 0; i < 4 * KINDS; i++)
        free(files[i].bytes);
}
END_TEST

// The first commit of a log file, at each place behind the header of a whole save.
static void expect_no_commit(uint32_t current, bool recovers)
{
    save whole = file_of(0, current), log = file_of(KINDS - 1, current);
    const frames good = frames_of(&whole), logged = frames_of(&log);
    const save_frame *commit = &logged.all[find_frame(&logged, FRAME_COMMIT)];
    const int first = find_frame(&good, FRAME_COMMIT);
    for (int at = 1; at < good.count; at++) {
        frames frames = good;
        kifu_timeline *lab;
        kifu_error error;
        insert_frame(&frames, at, commit->kind, commit->payload, commit->size);
        save bad = save_of_frames(&frames);
        const kifu_load_options how = {.recover = recovers ? kifu_recover : NULL};
        must_be(kifu_load_from_memory(&lab_rules, bad.bytes, bad.size, &keeping, &how, &lab, &error) == KIFU_DAMAGED);
        const char *words = at > first  ? "is only in log files"
                            : !recovers ? "is a log file that was not closed"
                            : at > 1    ? "leaves segments in front of it unused"
                                        : "";
        ck_assert_msg(strstr(error.message, words) != NULL, "%d: %s", at, error.message);
        free(bad.bytes);
    }
    free(whole.bytes);
    free(log.bytes);
}

START_TEST(V06_a_commit_of_a_log_file_in_a_whole_save_is_refused)
{
    for (uint32_t i = 0; i < 8; i++)
        expect_no_commit(i / 2, i % 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {V06_a_commit_of_a_log_file_in_a_whole_save_is_refused,
                                  V06_hostile_files_of_every_kind_do_no_harm};
    return run_suite("hostile_trees", tests, sizeof tests / sizeof *tests);
}
