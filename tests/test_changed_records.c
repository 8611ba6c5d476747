// Each record of saves, log files and changes, with each of its bytes changed while all checksums are right, cut off,
// too long, of another kind, left out, repeated or moved; and bytes of other frames. What becomes of them is pinned.
//
// Whatever a follower refuses leaves it as it was, and it follows on.

#include "later_games.h"
#include "pinned_help.h"

// --- What is changed -------------------------------------------------------------------------------------------------

typedef struct trial {
    const subject *subject;
    report *report;
    /// Reads the records, among which one has changed.
    void (*read)(struct trial *trial, const char *how, const records *records);
    const frames *frames; ///< Of a file, and the number of the commit in it;
    int commit;
    bool recovers, less, fast;
    bool few;                 ///< Not all is tried.
    const kifu_changes *told; ///< or all changes, and the number of these, which are read by a follower.
    uint32_t number;
    kifu_timeline *follower;
} trial;

static bool begin(trial *trial, const char *what, int commit, int number, uint32_t kind)
{
    return begin_group(trial->report, "%s, %s%s, commit or frame %d, record %d of kind %u", trial->subject->name, what,
                       trial->less   ? " without lines"
                       : trial->fast ? " fast"
                                     : "",
                       commit, number, kind);
}

enum { FIRST_BYTES = 30 };

static void change_byte(trial *trial, const records *good, int at, uint32_t place)
{
    const record *record = &good->all[at];
    const uint32_t byte = record->body[place];
    const uint32_t values[] = {0, byte + 1, trial->few ? byte - 1 : 255, byte - 1, byte + 2, 127, byte ^ 128};
    unsigned char room[4096];
    records changed = *good;
    ck_assert_uint_le(record->size, sizeof room);
    memcpy(room, record->body, record->size);
    changed.all[at].body = room;
    const int count = trial->few || trial->less || trial->fast ? 3 : 7;
    for (int i = 0; i < count; i++) {
        char how[60];
        room[place] = (unsigned char)values[i];
        if (room[place] == byte)
            continue;
        snprintf(how, sizeof how, "byte %u is %u instead of %u", place, room[place], byte);
        trial->read(trial, how, &changed);
    }
}

// The numbers with which a body begins, as far as it has any, at the bounds of what they may be.
static void change_number(trial *trial, const records *good, int at)
{
    static const uint32_t values[] = {0,          1,          0x7FFFFFFE, 0x7FFFFFFF, 0x80000000,
                                      0x80000001, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF};
    const record *record = &good->all[at];
    const unsigned char *begin = record->body, *end = begin + record->size;
    unsigned char room[4110];
    records changed = *good;
    changed.all[at].body = room;
    for (int field = 0; field < 4; field++) {
        const unsigned char *behind = begin;
        while (behind<end && * behind++> 127)
            continue;
        if (behind == begin || behind[-1] > 127 || behind - begin > 5)
            return;
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            char how[60];
            memcpy(room, record->body, (size_t)(begin - record->body));
            unsigned char *to = put_number(room + (begin - record->body), values[i]);
            memcpy(to, behind, (size_t)(end - behind));
            changed.all[at].size = (uint32_t)(to - room + (end - behind));
            snprintf(how, sizeof how, "number %d is %u", field, values[i]);
            trial->read(trial, how, &changed);
        }
        begin = behind;
    }
}

static void change_size(trial *trial, const records *good, int at)
{
    const record *record = &good->all[at];
    unsigned char room[4097] = {0};
    records changed = *good;
    if (record->size) {
        memcpy(room, record->body, record->size);
        changed.all[at].size--;
        trial->read(trial, "a byte less", &changed);
        changed.all[at].size = 0;
        trial->read(trial, "no bytes", &changed);
    }
    changed.all[at].body = room;
    changed.all[at].size = record->size + 1;
    trial->read(trial, "a byte more", &changed);
}

static void change_place(trial *trial, const records *good, int at)
{
    const record record = good->all[at];
    records changed = *good;
    remove_record(&changed, at);
    trial->read(trial, "left out", &changed);
    insert_record(&changed, 0, record.kind, record.body, record.size);
    trial->read(trial, "in front of all", &changed);
    remove_record(&changed, 0);
    insert_record(&changed, changed.count, record.kind, record.body, record.size);
    trial->read(trial, "behind all", &changed);
    insert_record(&changed, at, record.kind, record.body, record.size);
    trial->read(trial, "twice", &changed);
    if (!at)
        return;
    changed = *good;
    insert_record(&changed, at + 1, record.kind, record.body, record.size);
    insert_record(&changed, at + 1, good->all[at - 1].kind, good->all[at - 1].body, good->all[at - 1].size);
    trial->read(trial, "twice, with the one in front of it", &changed);
}

static void change_kind(trial *trial, const records *good, int at)
{
    records changed = *good;
    for (uint32_t kind = 0; kind <= RECORD_END + 1; kind++) {
        char how[60];
        snprintf(how, sizeof how, "of kind %u", kind);
        changed.all[at].kind = kind;
        if (kind != good->all[at].kind)
            trial->read(trial, how, &changed);
    }
}

// One that has applied all in front of the number of the trial.
static kifu_timeline *follower_of(const trial *trial)
{
    const kifu_options options = options_of(trial->subject, trial->less);
    kifu_timeline *follower;
    ck_assert_int_eq(kifu_create(trial->subject->rules, &options, &follower, NULL), KIFU_OK);
    for (uint32_t i = 0; i < trial->number; i++)
        must(follower, kifu_apply_changes(follower, trial->told[i].bytes, trial->told[i].size));
    return follower;
}

// Nothing that was refused before is to be seen.
static void begin_again(trial *trial)
{
    kifu_destroy(trial->follower);
    trial->follower = follower_of(trial);
}

static void change_all(trial *trial, const char *what, int commit, const records *good)
{
    const uint32_t first = trial->few ? 5 : trial->less || trial->fast ? FIRST_BYTES / 2 : FIRST_BYTES;
    for (int at = 0; at < good->count; at++) {
        const record *record = &good->all[at];
        if (!begin(trial, what, commit, at, record->kind))
            continue;
        if (trial->follower)
            begin_again(trial);
        for (uint32_t place = 0; place < record->size; place++) {
            if (place < first || place + 2 >= record->size)
                change_byte(trial, good, at, place);
        }
        if (!trial->fast && !trial->few)
            change_number(trial, good, at);
        change_size(trial, good, at);
        change_place(trial, good, at);
        if (!trial->few)
            change_kind(trial, good, at);
        end_group(trial->report);
    }
}

// --- Files -----------------------------------------------------------------------------------------------------------

static void load_changed(trial *trial, const char *how, const save *bad)
{
    const kifu_load_options options = {.recover = trial->recovers ? kifu_recover : NULL, .fast = trial->fast};
    say_load(trial->report, how, trial->subject, trial->less, bad, options);
}

static void read_file(trial *trial, const char *how, const records *records)
{
    const save bad = save_of_records(trial->frames, trial->commit, records);
    load_changed(trial, how, &bad);
    free(bad.bytes);
}

static void change_commits(trial *trial, const char *what)
{
    trial->read = read_file;
    for (trial->commit = 1; trial->commit < trial->frames->count; trial->commit++) {
        const save_frame *frame = &trial->frames->all[trial->commit];
        const records good = frame->kind == FRAME_COMMIT ? records_of(frame) : (records){.count = 0};
        change_all(trial, what, trial->commit, &good);
    }
}

// Frames that are no commits: their first bytes, and those of which the number divides by 7.
static void change_frames(trial *trial, const char *what)
{
    for (int at = 0; at < trial->frames->count; at++) {
        frames changed = *trial->frames;
        save_frame *frame = &changed.all[at];
        const unsigned char *good = frame->payload;
        if (trial->few && frame->kind != FRAME_ROOT && frame->kind != FRAME_SEGMENT)
            continue;
        if (!begin(trial, what, at, 0, frame->kind))
            continue;
        unsigned char *room = (unsigned char *)malloc(frame->size + 1);
        if (frame->kind == FRAME_COMMIT || frame->kind == FRAME_SEGMENT)
            frame->size = 0;
        memcpy(room, good, frame->size);
        frame->payload = room;
        for (uint32_t place = 0; place < frame->size; place += place < 90 ? 1 : 7) {
            const unsigned char values[] = {0, 1, 127, 255};
            for (int i = 0; i < 4; i++) {
                char how[60];
                room[place] = values[i] == good[place] ? (unsigned char)(good[place] ^ 4) : values[i];
                snprintf(how, sizeof how, "byte %u is %u instead of %u", place, room[place], good[place]);
                const save bad = save_of_frames(&changed);
                load_changed(trial, how, &bad);
                free(bad.bytes);
            }
            room[place] = good[place];
        }
        end_group(trial->report);
        free(room);
    }
}

static void change_files(trial *trial, const save *plain, const save *packed, const save *logged)
{
    frames frames = frames_of(plain);
    trial->frames = &frames;
    trial->recovers = false;
    change_commits(trial, "save");
    change_frames(trial, "save");
    frames = frames_of(packed);
    change_frames(trial, "packed");
    frames = frames_of(logged);
    trial->recovers = true;
    change_commits(trial, "log");
}

static void change_all_files(trial *trial, kifu_timeline *timeline, const char *log, bool without_schema)
{
    save packed = save_of(timeline, &(kifu_save_options){.without_schema = without_schema, .codec = &kifu_compact});
    save plain = save_of(timeline, &(kifu_save_options){.without_schema = without_schema});
    save logged = {.bytes = NULL};
    logged.bytes = read_bytes(log, &logged.size);
    for (int way = 0; way < (trial->few ? 2 : 3); way++) {
        trial->less = way == 1;
        trial->fast = way == 2;
        change_files(trial, &plain, &packed, &logged);
    }
    free(plain.bytes);
    free(packed.bytes);
    free(logged.bytes);
}

// --- Changes ---------------------------------------------------------------------------------------------------------

static void apply_changed(trial *trial, const char *how, const kifu_changes *changes)
{
    kifu_timeline *follower = trial->follower;
    const kifu_stream_position at = kifu_followed(follower);
    const uint32_t before = sum_of_game(follower);
    if (kifu_apply_changes(follower, changes->bytes, changes->size)) {
        say_refused(trial->report, how, kifu_last_error(follower));
        ck_assert_msg(same_positions(at, kifu_followed(follower)) && sum_of_game(follower) == before,
                      "%s, %s: the follower has changed: %s", trial->report->name, how,
                      kifu_last_error(follower)->message);
        return;
    }
    say_taken(trial->report, how, follower, NULL);
    begin_again(trial);
}

static void read_changes(trial *trial, const char *how, const records *records)
{
    const kifu_changes *good = &trial->told[trial->number];
    change_parts parts = parts_of(good->bytes, good->size);
    commit *commit = &parts.all[trial->commit];
    unsigned char *payload = payload_of_records(records, &commit->size);
    commit->records = payload + LINK_SIZE;
    commit->size -= LINK_SIZE;
    const kifu_changes bad = changes_of(&parts);
    apply_changed(trial, how, &bad);
    free(bad.bytes);
    free(payload);
}

static void change_changes(trial *trial)
{
    trial->read = read_changes;
    for (trial->number = 1; trial->number < STEPS; trial->number++) {
        const kifu_changes *good = &trial->told[trial->number];
        if (good->whole)
            continue;
        const change_parts parts = parts_of(good->bytes, good->size);
        trial->follower = follower_of(trial);
        for (trial->commit = 0; trial->commit < parts.count; trial->commit++) {
            const commit *commit = &parts.all[trial->commit];
            const records records = records_in(commit->records, commit->records + commit->size);
            change_all(trial, "changes", (int)trial->number, &records);
        }
        must(trial->follower, kifu_apply_changes(trial->follower, good->bytes, good->size));
        kifu_destroy(trial->follower);
        trial->follower = NULL;
    }
}

// --- All -------------------------------------------------------------------------------------------------------------

// What the later release saves of it: lines that it has not entered are as the first one left them.
static void change_saved_again(trial *trial, kifu_timeline *timeline)
{
    const kifu_options options = options_of(trial->subject, false);
    const save first = save_of(timeline, NULL);
    kifu_timeline *loaded;
    kifu_error error;
    if (!kifu_load_from_memory(trial->subject->rules, first.bytes, first.size, &options, NULL, &loaded, &error)) {
        const save again = save_of(loaded, NULL);
        const frames frames = frames_of(&again);
        trial->frames = &frames;
        trial->less = trial->fast = trial->recovers = false;
        change_commits(trial, "saved again");
        free(again.bytes);
        kifu_destroy(loaded);
    }
    free(first.bytes);
}

// Files alone, which a later release of the game reads.
static void change_earlier_game(const subject *subject, report *report)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    const kifu_options options = options_of(subject, false);
    kifu_timeline *timeline = subject->begin(&options);
    trial trial = {.subject = subject, .report = report, .few = true};
    fixed_time = 1700000000;
    must(timeline, kifu_log_open(timeline, path, NULL));
    for (uint32_t i = 0; i < STEPS; i++) {
        subject->step(timeline, i);
        must(timeline, kifu_log_append(timeline));
        if (i != 3 && i != STEPS - 1)
            continue;
        change_all_files(&trial, timeline, path, false);
        change_saved_again(&trial, timeline);
    }
    kifu_destroy(timeline);
    remove_folder(folder);
}

static void change_game(const subject *subject, report *report)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    const kifu_options options = options_of(subject, false);
    kifu_timeline *timeline = subject->begin(&options);
    kifu_changes told[STEPS];
    fixed_time = 1700000000;
    for (uint32_t i = 0; i < STEPS; i++) {
        if (i == 1)
            must(timeline, kifu_log_open(timeline, path, &(kifu_save_options){.without_schema = true}));
        subject->step(timeline, i);
        told[i] = changes_since(timeline, i ? &told[i - 1].until : NULL);
    }
    trial trial = {.subject = subject, .report = report, .told = told};
    change_all_files(&trial, timeline, path, true);
    for (int less = 0; less < 2; less++) {
        trial.less = less;
        trial.fast = false;
        change_changes(&trial);
    }
    for (uint32_t i = 0; i < STEPS; i++)
        free(told[i].bytes);
    kifu_destroy(timeline);
    remove_folder(folder);
}

START_TEST(R04_what_becomes_of_changed_records)
{
    report report = open_report("changed_records");
    for (uint32_t i = 0; i < SUBJECTS; i++)
        change_game(&subjects[i], &report);
    close_report(&report);
}
END_TEST

START_TEST(R08_what_a_later_release_reads_of_changed_records)
{
    report report = open_report("later_records");
    for (uint32_t i = 0; i < LATER_SUBJECTS; i++)
        change_earlier_game(&later_subjects[i], &report);
    close_report(&report);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {R04_what_becomes_of_changed_records,
                                  R08_what_a_later_release_reads_of_changed_records};
    return run_suite("changed_records", tests, sizeof tests / sizeof *tests);
}
