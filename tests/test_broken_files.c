// Saves and log files that were cut off, or in which a frame is missing, repeated, moved or of another kind, and what
// is read of them with recovery and without. What becomes of them is pinned.

#include "pinned_help.h"

typedef struct trial {
    const subject *subject;
    report *report;
    bool less;
    kifu_load_options how;
} trial;

static void try_file(const trial *trial, const char *how, const save *file)
{
    say_load(trial->report, how, trial->subject, trial->less, file, trial->how);
}

static void try_frames(const trial *trial, const char *how, const frames *frames)
{
    const save file = save_of_frames(frames);
    try_file(trial, how, &file);
    free(file.bytes);
}

// Around the beginning of each frame, in its middle, and everywhere in the head of the file.
static void cut(const trial *trial, const save *good)
{
    const frames frames = frames_of(good);
    char how[90];
    for (size_t size = 0; size <= FILE_HEAD; size++) {
        snprintf(how, sizeof how, "cut off at %zu", size);
        try_file(trial, how, &(save){good->bytes, size});
    }
    for (int i = 0; i < frames.count; i++) {
        const uint64_t begin = frames.all[i].offset, whole = frame_size(frames.all[i].size);
        const uint64_t places[] = {
            begin, begin + 1, begin + FRAME_HEAD - 1, begin + FRAME_HEAD, begin + whole / 2, begin + whole - 1};
        for (int k = 0; k < 6; k++) {
            const save file = {good->bytes, (size_t)places[k]};
            snprintf(how, sizeof how, "cut off at %llu, in frame %d", (unsigned long long)places[k], i);
            try_file(trial, how, &file);
        }
    }
    const save longer = {(unsigned char *)calloc(good->size + 9, 1), good->size + 9};
    memcpy(longer.bytes, good->bytes, good->size);
    try_file(trial, "with nine zeros behind it", &longer);
    free(longer.bytes);
}

// Each byte of the file's head, and of each frame's and a few behind it.
static void flip(const trial *trial, const save *good)
{
    const frames frames = frames_of(good);
    const save file = {(unsigned char *)malloc(good->size), good->size};
    memcpy(file.bytes, good->bytes, good->size);
    for (int i = -1; i < frames.count; i++) {
        for (uint32_t place = 0; place < FRAME_HEAD + 8; place++) {
            char how[90];
            const uint64_t at = (i < 0 ? 0 : frames.all[i].offset) + place;
            if (at >= good->size)
                continue;
            file.bytes[at] ^= 1;
            snprintf(how, sizeof how, "byte %llu, of frame %d, is another", (unsigned long long)at, i);
            try_file(trial, how, &file);
            file.bytes[at] ^= 1;
        }
    }
    free(file.bytes);
}

static void change_frames(const trial *trial, const save *good)
{
    const frames frames = frames_of(good);
    for (int at = 0; at < frames.count; at++) {
        struct frames changed = frames;
        const save_frame frame = frames.all[at];
        char how[90];
        remove_frame(&changed, at);
        snprintf(how, sizeof how, "without frame %d", at);
        try_frames(trial, how, &changed);
        for (int to = 0; to <= changed.count; to++) {
            if (to != at) {
                insert_frame(&changed, to, frame.kind, frame.payload, frame.size);
                snprintf(how, sizeof how, "frame %d is number %d", at, to);
                try_frames(trial, how, &changed);
                remove_frame(&changed, to);
            }
        }
        changed = frames;
        insert_frame(&changed, at, frame.kind, frame.payload, frame.size);
        snprintf(how, sizeof how, "frame %d twice", at);
        try_frames(trial, how, &changed);
        for (uint32_t kind = 0; kind < 8; kind++) {
            changed = frames;
            changed.all[at].kind = kind < 7 ? kind : SKIPPED - 1;
            snprintf(how, sizeof how, "frame %d is of kind %u", at, changed.all[at].kind);
            try_frames(trial, how, &changed);
        }
        for (uint32_t size = 0; size < 13 && size < frame.size; size++) {
            changed = frames;
            changed.all[at].size = size;
            snprintf(how, sizeof how, "frame %d has %u bytes", at, size);
            try_frames(trial, how, &changed);
        }
        changed = frames;
        insert_frame(&changed, at, SKIPPED, frame.payload, frame.size);
        snprintf(how, sizeof how, "a frame that is skipped, in front of frame %d", at);
        try_frames(trial, how, &changed);
    }
}

static void break_file(trial *trial, const char *what, const save *good)
{
    for (int way = 0; way < 4; way++) {
        trial->how = (kifu_load_options){.recover = way % 2 ? kifu_recover : NULL, .fast = way == 2};
        trial->less = way == 3;
        if (!begin_group(trial->report, "%s, %s%s%s%s", trial->subject->name, what, way % 2 ? " recovered" : "",
                         trial->how.fast ? " fast" : "", trial->less ? " without lines" : ""))
            continue;
        cut(trial, good);
        flip(trial, good);
        change_frames(trial, good);
        end_group(trial->report);
    }
}

static void break_all(report *report, const subject *subject)
{
    static const uint32_t steps[] = {1, 4, 9};
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    const kifu_options options = options_of(subject, false);
    kifu_timeline *timeline = subject->begin(&options);
    trial trial = {.subject = subject, .report = report};
    fixed_time = 1700000000;
    must(timeline, kifu_log_open(timeline, path, &(kifu_save_options){.without_schema = true}));
    for (uint32_t step = 0, next = 0; step < STEPS; step++) {
        fixed_time = 1700000000; // A save of which the time is told sets it back.
        subject->step(timeline, step);
        must(timeline, kifu_log_append(timeline));
        if (step != steps[next])
            continue;
        next++;
        char what[60];
        save files[4];
        files[0] = save_of(timeline, &(kifu_save_options){.without_schema = true});
        files[1] = save_of(timeline, &(kifu_save_options){.without_schema = true, .codec = &kifu_compact});
        files[2] = save_of(timeline, &(kifu_save_options){.without_schema = true, .without_snapshot = true});
        files[3].bytes = read_bytes(path, &files[3].size);
        for (int i = 0; i < 4; i++) {
            static const char *const names[] = {"plain", "packed", "without snapshot", "log"};
            snprintf(what, sizeof what, "step %u, %s", step, names[i]);
            break_file(&trial, what, &files[i]);
            free(files[i].bytes);
        }
    }
    kifu_destroy(timeline);
    remove_folder(folder);
}

START_TEST(F59_what_is_read_of_broken_files)
{
    report report = open_report("broken_files");
    for (uint32_t i = 0; i < SUBJECTS; i++)
        break_all(&report, &subjects[i]);
    close_report(&report);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {F59_what_is_read_of_broken_files};
    return run_suite("broken_files", tests, sizeof tests / sizeof *tests);
}
