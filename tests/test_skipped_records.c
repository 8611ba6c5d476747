// What a later version of the format may add without another number: records of kinds from 64 on, in log files, changes
// and whole saves. And what it may not: anything behind the end of a record, or of a commit.

#include "record_games.h"

static const uint32_t later_kinds[] = {64, 200}, lengths[] = {0, 1, 127, 128, 3000};
enum {
    KINDS = sizeof later_kinds / sizeof *later_kinds,
    LENGTHS = sizeof lengths / sizeof *lengths,
    WAYS = KINDS * LENGTHS
};

static unsigned char later_body[3000];

// In front of the last record of a commit, which is `hash` or `end`, and of each `hash`.
static void add_later(records *records, int way)
{
    for (int at = records->count - 1; at >= 0; at--) {
        if (at == records->count - 1 || records->all[at].kind == RECORD_HASH)
            insert_record(records, at, later_kinds[way / LENGTHS], later_body, lengths[way % LENGTHS]);
    }
}

static save save_with_later(const save *good, int way)
{
    const bool packed = frames_of(good).all[1].kind == FRAME_PACKED;
    frames frames = packed ? packed_frames(good) : frames_of(good);
    unsigned char *payloads[MOST_FRAMES];
    int count = 0;
    for (int i = 0; i < frames.count; i++) {
        save_frame *frame = &frames.all[i];
        if (frame->kind != FRAME_COMMIT)
            continue;
        records records = records_of(frame);
        add_later(&records, way);
        frame->payload = payloads[count++] = payload_of_records(&records, &frame->size);
    }
    const save later = packed ? pack_frames(&frames) : save_of_frames(&frames);
    ck_assert_int_gt(count, 0);
    while (count)
        free(payloads[--count]);
    return later;
}

// A game without variations, in which events are gone after an undo.
static void step_one_line(kifu_timeline *lab, uint32_t number)
{
    lab_must(lab, lab_play(lab, number % 2 ? "+(+)" : "-"));
    lab_must(lab, number % 3 == 1 ? kifu_undo(lab) : KIFU_OK);
}

static const subject one_line = {"lab with one line", &lab_rules, begin_lab, step_one_line, submit_lab};

typedef struct game {
    const subject *subject;
    kifu_timeline *timeline;
    char *folder;
    const char *path;
    kifu_changes told[STEPS];
} game;

// Each step was told, and appended to the log file from the second one on.
static game play(const subject *subject)
{
    const kifu_options options = options_of(subject, subject == &one_line);
    game game = {.subject = subject, .timeline = subject->begin(&options), .folder = new_folder()};
    game.path = in_folder(game.folder, "log.kifu");
    fixed_time = 1700000000;
    for (uint32_t i = 0; i < STEPS; i++) {
        if (i == 1)
            must(game.timeline, kifu_log_open(game.timeline, game.path, NULL));
        subject->step(game.timeline, i);
        game.told[i] = changes_since(game.timeline, i ? &game.told[i - 1].until : NULL);
    }
    return game;
}

static void end(game *game)
{
    for (uint32_t i = 0; i < STEPS; i++)
        free(game->told[i].bytes);
    kifu_destroy(game->timeline);
    remove_folder(game->folder);
    ck_assert_int_eq(record_memory.blocks, 0);
}

static kifu_timeline *load_file(const game *game, const save *bytes, bool less, bool recovers)
{
    const kifu_options options = options_of(game->subject, less);
    const kifu_load_options how = {.recover = recovers ? kifu_recover : NULL, .codec = &kifu_compact};
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(
        !kifu_load_from_memory(game->subject->rules, bytes->bytes, bytes->size, &options, &how, &loaded, &error), "%s",
        error.message);
    return loaded;
}

static uint32_t sum_of_file(const game *game, const save *bytes, bool less, bool recovers)
{
    kifu_timeline *loaded = load_file(game, bytes, less, recovers);
    const uint32_t sum = sum_of_game(loaded);
    kifu_destroy(loaded);
    return sum;
}

// --- Files -----------------------------------------------------------------------------------------------------------

static kifu_timeline *load_log(const game *game, const char *path)
{
    const kifu_options options = options_of(game->subject, false);
    kifu_recovery recovery;
    const kifu_load_options how = {.recover = kifu_recover, .recovery = &recovery};
    kifu_timeline *loaded;
    kifu_error error;
    ck_assert_msg(!kifu_load(game->subject->rules, path, &options, &how, &loaded, &error), "%s", error.message);
    ck_assert_uint_eq(recovery.dropped, 0);
    return loaded;
}

// The game goes on in the file, whose commits stay as they are.
static void go_on_in(const game *game, const save *later)
{
    const char *path = in_folder(game->folder, "later.kifu");
    write_bytes(path, later->bytes, later->size);
    kifu_timeline *loaded = load_log(game, path);
    must(loaded, kifu_log_open(loaded, path, NULL));
    for (int i = 0; i < 3; i++) {
        game->subject->submit(loaded, i % 2);
        must(loaded, kifu_run(loaded));
        must(loaded, kifu_log_append(loaded));
    }
    save now = {.bytes = NULL};
    now.bytes = read_bytes(path, &now.size);
    ck_assert_uint_gt(now.size, later->size);
    ck_assert_mem_eq(now.bytes, later->bytes, later->size);
    ck_assert_uint_eq(sum_of_file(game, &now, false, true), sum_of_game(loaded));
    kifu_destroy(loaded);
    free(now.bytes);
}

static save save_with_later_frames(const save *good, int way)
{
    frames frames = frames_of(good);
    for (int at = frames.count - 1; at > 0; at--)
        insert_frame(&frames, at, later_kinds[way / LENGTHS], later_body, lengths[way % LENGTHS]);
    return save_of_frames(&frames);
}

static void expect_logs_to_go_on(save (*change)(const save *good, int way))
{
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        game game = play(&subjects[i]);
        save good = {.bytes = NULL};
        must(game.timeline, kifu_log_append(game.timeline));
        good.bytes = read_bytes(game.path, &good.size);
        for (int way = 0; way < WAYS; way++) {
            save later = change(&good, way);
            for (int less = 0; less < 2; less++)
                ck_assert_uint_eq(sum_of_file(&game, &later, less, true), sum_of_file(&game, &good, less, true));
            go_on_in(&game, &later);
            free(later.bytes);
        }
        free(good.bytes);
        end(&game);
    }
}

START_TEST(R11_log_files_with_records_of_later_kinds_load_and_go_on)
{
    expect_logs_to_go_on(save_with_later);
}
END_TEST

START_TEST(R11_log_files_with_frames_of_later_kinds_load_and_go_on)
{
    expect_logs_to_go_on(save_with_later_frames);
}
END_TEST

START_TEST(R11_whole_saves_with_records_of_later_kinds_load)
{
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        game game = play(&subjects[i]);
        for (int way = 0; way < 2 * WAYS; way++) {
            save good = save_of(game.timeline, &(kifu_save_options){.codec = way % 2 ? &kifu_compact : NULL});
            save later = save_with_later(&good, way / 2);
            for (int less = 0; less < 2; less++)
                ck_assert_uint_eq(sum_of_file(&game, &later, less, false), sum_of_file(&game, &good, less, false));
            free(later.bytes);
            free(good.bytes);
        }
        end(&game);
    }
}
END_TEST

// --- Changes ---------------------------------------------------------------------------------------------------------

// Changes that begin at `at`, by a program that has added records to all commits.
static kifu_changes changes_with_later(const kifu_changes *good, const kifu_stream_position *at, int way)
{
    unsigned char *payloads[MOST_COMMITS], head[40];
    change_parts parts = parts_of(good->bytes, good->size);
    if (parts.whole) {
        parts.save = save_with_later(&parts.save, way);
        const kifu_changes later = changes_of(&parts);
        free(parts.save.bytes);
        return later;
    }
    memcpy(head, parts.head, parts.head_size);
    const unsigned char *checksum = head + 12;
    ck_assert_uint_eq(number_at(&checksum), at->commit);
    set32((unsigned char *)(uintptr_t)checksum, at->checksum);
    parts.head = head;
    parts.at = *at;
    for (int i = 0; i < parts.count; i++) {
        commit *commit = &parts.all[i];
        records records = records_in(commit->records, commit->records + commit->size);
        add_later(&records, way);
        payloads[i] = payload_of_records(&records, &commit->size);
        commit->records = payloads[i] + LINK_SIZE;
        commit->size -= LINK_SIZE;
    }
    const kifu_changes later = changes_of(&parts);
    for (int i = 0; i < parts.count; i++)
        free(payloads[i]);
    return later;
}

// A follower of them has all that one of the changes without these records has. So has its own follower, and its log
// file.
static void follow_later(const game *game, int way, bool less)
{
    const kifu_options options = options_of(game->subject, less);
    const char *path = in_folder(game->folder, "follower.kifu"), *plain_path = in_folder(game->folder, "plain.kifu");
    kifu_timeline *copy, *plain, *next;
    ck_assert_int_eq(kifu_create(game->subject->rules, &options, &copy, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(game->subject->rules, &options, &plain, NULL), KIFU_OK);
    ck_assert_int_eq(kifu_create(game->subject->rules, &options, &next, NULL), KIFU_OK);
    for (uint32_t i = 0; i < STEPS; i++) {
        const kifu_stream_position at = kifu_followed(copy);
        const kifu_changes later = changes_with_later(&game->told[i], &at, way);
        must(copy, kifu_apply_changes(copy, later.bytes, later.size));
        must(plain, kifu_apply_changes(plain, game->told[i].bytes, game->told[i].size));
        ck_assert_uint_eq(sum_of_game(copy), sum_of_game(plain));
        ck_assert_uint_eq(kifu_followed(copy).commit, kifu_followed(plain).commit);
        must(next, pass_on(copy, next));
        ck_assert_uint_eq(sum_of_game(next), sum_of_game(plain));
        must(copy, i ? kifu_log_append(copy) : kifu_log_open(copy, path, NULL));
        must(plain, i ? kifu_log_append(plain) : kifu_log_open(plain, plain_path, NULL));
        free(later.bytes);
    }
    kifu_timeline *loaded = load_log(game, path), *same = load_log(game, plain_path);
    ck_assert_uint_eq(sum_of_game(loaded), sum_of_game(same));
    kifu_destroy(loaded);
    kifu_destroy(same);
    kifu_destroy(copy);
    kifu_destroy(plain);
    kifu_destroy(next);
}

START_TEST(R11_changes_with_records_of_later_kinds_are_followed)
{
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        game game = play(&subjects[i]);
        for (int way = 0; way < 2 * WAYS; way++)
            follow_later(&game, way / 2, way % 2);
        end(&game);
    }
}
END_TEST

// --- What may not be added -------------------------------------------------------------------------------------------

typedef struct refusals {
    const game *game;
    const char *where;
    uint32_t kind;
    bool seen[RECORD_END + 1];
} refusals;

static void refuse_file(refusals *refusals, const frames *frames, int at, const records *records, const char *words)
{
    const game *game = refusals->game;
    const kifu_options options = options_of(game->subject, false);
    const kifu_load_options how = {.recover = *refusals->where == 'l' ? kifu_recover : NULL};
    save bad = save_of_records(frames, at, records);
    kifu_timeline *loaded;
    kifu_error error = {.message = ""};
    const kifu_result result =
        kifu_load_from_memory(game->subject->rules, bad.bytes, bad.size, &options, &how, &loaded, &error);
    ck_assert_msg(result == KIFU_DAMAGED && strstr(error.message, words), "%s, %s, frame %d, record of kind %u: %d: %s",
                  game->subject->name, refusals->where, at, refusals->kind, (int)result, error.message);
    free(bad.bytes);
}

// The value of a note reaches up to the end, and so does a FlatBuffer, in which bytes may belong to no field.
static bool may_be_longer(uint32_t kind)
{
    return kind == RECORD_NOTE || kind == RECORD_ACTIONS;
}

static void try_longer(refusals *refusals, const frames *frames, int at, const records *good)
{
    static unsigned char room[1 << 16];
    for (int i = 0; i < good->count; i++) {
        const record *record = &good->all[i];
        refusals->seen[refusals->kind = record->kind] = true;
        for (unsigned more = 0; more < 2 && !may_be_longer(record->kind); more++) {
            struct records longer = *good;
            ck_assert_uint_lt(record->size, sizeof room);
            memcpy(room, record->body, record->size);
            room[record->size] = (unsigned char)more;
            longer.all[i].body = room;
            longer.all[i].size++;
            refuse_file(refusals, frames, at, &longer, "");
        }
    }
}

START_TEST(R11_no_record_of_a_file_may_be_longer_than_its_kind_has)
{
    bool seen[RECORD_END + 1] = {false};
    for (uint32_t i = 0; i <= SUBJECTS; i++) {
        game game = play(i < SUBJECTS ? &subjects[i] : &one_line);
        save files[] = {save_of(game.timeline, NULL), {.bytes = NULL}};
        files[1].bytes = read_bytes(game.path, &files[1].size);
        for (int k = 0; k < 2; k++) {
            refusals refusals = {.game = &game, .where = k ? "log file" : "save"};
            const frames frames = frames_of(&files[k]);
            for (int at = 0; at < frames.count; at++) {
                if (frames.all[at].kind != FRAME_COMMIT)
                    continue;
                records records = records_of(&frames.all[at]);
                if (i == SUBJECTS && k && at == frames.count - 1) // Nothing is behind the place.
                    insert_record(&records, records.count - 1, RECORD_CUT, later_body, 0);
                save good = save_of_records(&frames, at, &records);
                kifu_destroy(load_file(&game, &good, false, k));
                free(good.bytes);
                try_longer(&refusals, &frames, at, &records);
            }
            for (uint32_t kind = 0; kind <= RECORD_END; kind++)
                seen[kind] |= refusals.seen[kind];
            free(files[k].bytes);
        }
        end(&game);
    }
    for (uint32_t kind = RECORD_STAND; kind <= RECORD_END; kind++)
        ck_assert_msg(seen[kind], "no record of kind %u", kind);
}
END_TEST

// Behind `hash` in log files and changes, and behind `end` in whole saves.
START_TEST(R11_records_of_later_kinds_behind_the_end_are_refused)
{
    for (uint32_t i = 0; i < SUBJECTS; i++) {
        game game = play(&subjects[i]);
        save files[] = {save_of(game.timeline, NULL), {.bytes = NULL}};
        files[1].bytes = read_bytes(game.path, &files[1].size);
        for (int way = 0; way < 2 * WAYS; way++) {
            const bool log = way % 2;
            refusals refusals = {.game = &game, .where = log ? "log file" : "save"};
            const frames frames = frames_of(&files[log]);
            for (int at = frames.count - 1; at > 0 && frames.all[at].kind == FRAME_COMMIT; at--) {
                records records = records_of(&frames.all[at]);
                if (!log && records.all[records.count - 1].kind != RECORD_END)
                    continue;
                refusals.kind = later_kinds[way / 2 / LENGTHS];
                insert_record(&records, records.count, refusals.kind, later_body, lengths[way / 2 % LENGTHS]);
                refuse_file(&refusals, &frames, at, &records,
                            log ? "does not end with the hash" : "stands behind the end");
            }
        }
        free(files[0].bytes), free(files[1].bytes);
        end(&game);
    }
}
END_TEST

typedef void change_commit(records *records, int number);

static void add_behind(records *records, int number)
{
    insert_record(records, records->count, later_kinds[number % KINDS], later_body, lengths[number % LENGTHS]);
}

static void make_longer(records *records, int number)
{
    static unsigned char room[1 << 16];
    record *record = &records->all[number];
    ck_assert_uint_lt(record->size, sizeof room);
    memcpy(room, record->body, record->size);
    room[record->size++] = 0;
    record->body = room;
}

// Of a follower that has all in front of number `count`, and takes these then.
static void expect_changes_refused(const game *game, uint32_t count, const kifu_changes *bad, const char *words)
{
    const kifu_options options = options_of(game->subject, false);
    kifu_timeline *copy;
    ck_assert_int_eq(kifu_create(game->subject->rules, &options, &copy, NULL), KIFU_OK);
    for (uint32_t i = 0; i < count; i++)
        must(copy, kifu_apply_changes(copy, game->told[i].bytes, game->told[i].size));
    for (int again = 0; again < 2; again++) { // What was taken back is no change of its own.
        const kifu_result result = kifu_apply_changes(copy, bad->bytes, bad->size);
        ck_assert_msg(result == KIFU_DAMAGED && strstr(kifu_last_error(copy)->message, words), "%s, %u: %s",
                      game->subject->name, count, kifu_last_error(copy)->message);
    }
    must(copy, kifu_apply_changes(copy, game->told[count].bytes, game->told[count].size));
    kifu_destroy(copy);
}

static void change_last_commits(const game *game, change_commit *change, const char *words)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        const kifu_changes *told = &game->told[i];
        change_parts parts = parts_of(told->bytes, told->size);
        if (parts.whole)
            continue;
        commit *last = &parts.all[parts.count - 1];
        const records good = records_in(last->records, last->records + last->size);
        for (int number = 0; number < good.count; number++) {
            const uint32_t kind = good.all[number].kind;
            if (change == make_longer && (may_be_longer(kind) || kind == RECORD_HASH)) // No state is looked at.
                continue;
            struct records changed = good;
            change(&changed, number);
            unsigned char *payload = payload_of_records(&changed, &last->size);
            last->records = payload + LINK_SIZE;
            last->size -= LINK_SIZE;
            const kifu_changes bad = changes_of(&parts);
            expect_changes_refused(game, i, &bad, words);
            free(bad.bytes), free(payload);
        }
    }
}

START_TEST(R11_changes_may_not_have_more_in_or_behind_a_record_either)
{
    for (uint32_t i = 0; i <= SUBJECTS; i++) {
        game game = play(i < SUBJECTS ? &subjects[i] : &one_line);
        change_last_commits(&game, add_behind, "does not end with the hash");
        change_last_commits(&game, make_longer, "");
        end(&game);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R11_log_files_with_records_of_later_kinds_load_and_go_on,
        R11_log_files_with_frames_of_later_kinds_load_and_go_on,
        R11_whole_saves_with_records_of_later_kinds_load,
        R11_changes_with_records_of_later_kinds_are_followed,
        R11_no_record_of_a_file_may_be_longer_than_its_kind_has,
        R11_records_of_later_kinds_behind_the_end_are_refused,
        R11_changes_may_not_have_more_in_or_behind_a_record_either,
    };
    return run_suite("skipped_records", tests, sizeof tests / sizeof *tests);
}
