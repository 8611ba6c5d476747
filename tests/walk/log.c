// Operations of log files.

#include "step.h"

#include <kifu/zstd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void drop_oldest(walk *walk)
{
    walk_drop(&walk->appended[0].tree);
    walk->appended_count--;
    memmove(&walk->appended[0], &walk->appended[1], walk->appended_count * sizeof walk->appended[0]);
}

static unsigned char *bytes_of(const char *path, size_t size)
{
    unsigned char *bytes = (unsigned char *)walk_alloc(size);
    FILE *file = fopen(path, "rb");
    if (!file || fread(bytes, 1, size, file) != size)
        walk_fail("log", "the log file is shorter than %zu bytes", size);
    fclose(file);
    return bytes;
}

// Unless it may be written anew, a log file only grows. Where it was, those of before are gone.
static void remember_appended(walk *walk, const char *what)
{
    struct stat info;
    if (stat(walk->path, &info))
        walk_fail("log", "the log file is gone");
    const walk_appended *last = walk->appended_count ? &walk->appended[walk->appended_count - 1] : NULL;
    unsigned char *bytes = bytes_of(walk->path, (size_t)info.st_size);
    const bool grew = last && last->file == info.st_ino && last->size <= (uint64_t)info.st_size;
    if (last && !walk->anew && (!grew || memcmp(bytes, walk->file, last->size) != 0))
        walk_fail("anew", "%s: the log file of %llu bytes was written anew, and has %llu", what,
                  (unsigned long long)last->size, (unsigned long long)info.st_size);
    free(walk->file);
    walk->file = bytes;
    walk->anew = false;
    walk->since = 0;
    if (!grew) {
        walk_forget_appended(walk);
        last = NULL;
    }
    if (last && last->size == (uint64_t)info.st_size)
        return;
    if (walk->appended_count == APPENDED)
        drop_oldest(walk);
    walk_appended *now = &walk->appended[walk->appended_count++];
    *now = (walk_appended){(uint64_t)info.st_size, info.st_ino, walk->variations, walk->notes, {0}};
    walk_copy(&now->tree, &walk->tree);
}

void walk_forget_appended(walk *walk)
{
    while (walk->appended_count)
        drop_oldest(walk);
}

void walk_lose_log(walk *walk)
{
    unlink(walk->path);
    if (walk->has_log)
        walk_drop(&walk->logged);
    walk->has_log = walk->unclosed = walk->as_loaded = false;
    walk_forget_appended(walk);
    free(walk->file);
    walk->file = NULL;
}

void walk_log_is(walk *walk, const char *what)
{
    if (walk->has_log)
        walk_drop(&walk->logged);
    walk_copy(&walk->logged, &walk->tree);
    walk->has_log = true;
    walk->logged_variations = walk->variations;
    walk->logged_notes = walk->notes;
    walk->unclosed = walk->log_open;
    if (walk->log_open)
        remember_appended(walk, what);
    else
        walk_forget_appended(walk);
}

static void walk_check_log(walk *walk, const char *what)
{
    const walk_load load = {.recover = true,
                            .fast = walk->step % 5 == 0,
                            .variations = walk->logged_variations,
                            .notes = walk->logged_notes};
    walk_check_load(walk, walk_loaded(walk, &load, what), &walk->logged, what);
    if (walk->step % 7 == 0) {
        const walk_load less = {.recover = true};
        walk_tree seen = walk_seen_by(&walk->logged, false, false);
        walk_check_load(walk, walk_loaded(walk, &less, what), &seen, what);
        walk_drop(&seen);
    }
}

void walk_op_log_open(walk *walk, const walk_op *op)
{
    if (walk->log_open || walk->open)
        return;
    if (op->b % 2)
        walk_lose_log(walk); // Nothing is there.
    kifu_save_options options = {.without_schema = op->a % 2};
    if (walk->visited && access(walk->path, F_OK) == 0) { // The file of another process is not overwritten unseen.
        const kifu_result result = kifu_log_open(walk->timeline, walk->path, &options);
        if (walk_has_no_root(walk, result, "kifu_log_open"))
            return;
        walk_expect(walk, "log", result == KIFU_CHANGED || (!result && !walk->played_on),
                    "kifu_log_open where another process has played on", result);
        walk_expect_same(walk, "after another process has played on");
        options.overwrite = true;
        if (!result && kifu_log_close(walk->timeline, NULL))
            walk_fail("log", "kifu_log_close: %s", kifu_last_error(walk->timeline)->message);
        if (!result) // It had done nothing that lasts, and now the file has this game.
            walk_log_is(walk, "a log file that another process had");
        walk->as_loaded = false;
    }
    const bool goes_on = walk->as_loaded && walk->appended_count && options.without_schema == walk->without_schema;
    const uint64_t size = goes_on ? walk->appended[walk->appended_count - 1].size : 0;
    walk->anew = !goes_on;
    walk_arm(walk, op);
    walk_say(walk,
             "must(timeline, kifu_log_open(timeline, path, &(kifu_save_options){.without_schema = %d, .overwrite = "
             "%d}));",
             options.without_schema, options.overwrite);
    const kifu_result result = kifu_log_open(walk->timeline, walk->path, &options);
    const bool starved = walk_disarm(walk);
    if (walk_has_no_root(walk, result, "kifu_log_open"))
        return;
    if (result) {
        walk_expect(walk, "log", starved && result == KIFU_NO_MEMORY, "kifu_log_open", result);
        walk_expect_same(walk, "after a log file was not opened");
        return;
    }
    walk->log_open = true;
    walk->without_schema = options.without_schema;
    walk->visited = walk->played_on = false;
    walk_log_is(walk, "a log file that is opened again");
    if (goes_on && walk->appended[walk->appended_count - 1].size != size)
        walk_fail("anew", "a log file was opened where nothing had happened, and grew");
    walk_check_log(walk, "a log file that was opened");
}

void walk_append(walk *walk, const walk_op *op, const char *what)
{
    if (!walk->log_open)
        return;
    walk_arm(walk, op);
    walk_say(walk, "must(timeline, kifu_log_append(timeline));");
    const kifu_result result = kifu_log_append(walk->timeline);
    const bool starved = walk_disarm(walk);
    if (!walk->open && walk_has_no_root(walk, result, "kifu_log_append"))
        return;
    walk_expect(walk, "log", !result || (starved && result == KIFU_NO_MEMORY), "kifu_log_append", result);
    if (!result && !walk->open)
        walk_log_is(walk, what);
    walk_check_log(walk, what);
}

void walk_op_append(walk *walk, const walk_op *op)
{
    walk_append(walk, op, "a log file");
}

// A process that was killed while it appended leaves any part of that: the game is that of the append before.
void walk_op_torn(walk *walk, const walk_op *op)
{
    char path[sizeof walk->path + 10];
    if (walk->appended_count < 2)
        return;
    const uint32_t before = op->a % (walk->appended_count - 1);
    const walk_appended *appended = &walk->appended[before];
    const uint64_t more = walk->appended[before + 1].size - appended->size;
    const size_t size = appended->size + op->b % more;
    unsigned char *bytes = bytes_of(walk->path, size);
    snprintf(path, sizeof path, "%s.torn", walk->path);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        walk_fail("log", "no room for a copy of the log file");
    walk_say(walk, "// the log file, cut off after %zu bytes", size);
    const walk_load load = {
        .path = path, .recover = true, .torn = true, .variations = appended->variations, .notes = appended->notes};
    walk_check_load(walk, walk_loaded(walk, &load, "a log file that was cut off"), &appended->tree,
                    "a log file that was cut off");
    unlink(path);
    free(bytes);
}

// The disk is full somewhere in the append.
void walk_op_full_disk(walk *walk, const walk_op *op)
{
    struct stat before;
    if (!walk->log_open || walk->open || stat(walk->path, &before))
        return;
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    struct rlimit full = old;
    full.rlim_cur = (rlim_t)before.st_size + op->a % 300;
    walk_say(walk, "// the file may have %llu bytes", (unsigned long long)full.rlim_cur);
    walk_say(walk, "(void)!kifu_log_append(timeline);");
    setrlimit(RLIMIT_FSIZE, &full);
    const kifu_result result = kifu_log_append(walk->timeline);
    setrlimit(RLIMIT_FSIZE, &old);
    if (walk_has_no_root(walk, result, "kifu_log_append"))
        return;
    walk_expect(walk, "log", !result || result == KIFU_IO, "kifu_log_append on a full disk", result);
    if (!result)
        walk_log_is(walk, "a log file on a full disk");
    walk_check_log(walk, "a log file on a full disk");
    walk_expect_same(walk, "after an append on a full disk");
    walk_append(walk, &(walk_op){.fail = 0}, "a log file behind a full disk");
}

void walk_op_log_close(walk *walk, const walk_op *op)
{
    if (!walk->log_open || walk->open)
        return;
    const bool packed = op->a % 2;
    walk_arm(walk, op);
    walk_say(walk, "must(timeline, kifu_log_close(timeline, %s));",
             packed ? "&(kifu_save_options){.codec = kifu_zstd()}" : "NULL");
    const kifu_result result =
        kifu_log_close(walk->timeline, packed ? &(kifu_save_options){.codec = kifu_zstd()} : NULL);
    const bool starved = walk_disarm(walk);
    if (walk_has_no_root(walk, result, "kifu_log_close"))
        return;
    walk_expect(walk, "log", !result || (starved && result == KIFU_NO_MEMORY), "kifu_log_close", result);
    if (!result) {
        walk->log_open = false;
        walk_log_is(walk, "a log file that was closed");
    }
    walk_check_log(walk, "a log file that was closed");
}

// The process ends; another one goes on with what it finds.
void walk_op_kill(walk *walk, const walk_op *op)
{
    if (!walk->has_log)
        return;
    const walk_load load = {
        .recover = true, .fast = op->b % 2, .variations = walk->logged_variations, .notes = walk->logged_notes};
    walk_say(
        walk,
        "timeline = paste_kill(timeline, path, &(paste){.variations = %d, .notes = %d, .fast = %d, .recover = true, "
        ".no_root = how.no_root, .hash_interval = how.hash_interval, .memory = &memory, .triggers = how.triggers});",
        load.variations, load.notes, load.fast);
    kifu_destroy(walk->timeline);
    walk->log_open = false;
    walk->open = 0;
    kifu_timeline *loaded = walk_loaded(walk, &load, "the log file of a process that was killed");
    walk_drop(&walk->tree);
    walk_copy(&walk->tree, &walk->logged);
    walk->timeline = NULL;
    walk_replace(walk, loaded, load.variations, load.notes, "after a kill");
    walk->as_loaded = walk->unclosed;
    if (op->a % 2)
        walk_op_log_open(walk, &(walk_op){.fail = 0});
}

// The program starts again, and goes on with the log file of before, where nothing has happened yet.
void walk_op_restart(walk *walk, const walk_op *op)
{
    if (!walk->has_log || !walk->unclosed || walk->visited)
        return;
    walk_op_kill(walk, &(walk_op){.b = op->b});
    if (op->a % 4)
        walk_op_empty(walk, &(walk_op){.a = op->a / 4, .b = op->b / 2});
    walk_op_log_open(walk, &(walk_op){.a = walk->without_schema, .fail = op->fail});
    if (walk->log_open && walk->config.starves &&
        op->b % 2) { // The first that the file is to be told, with little memory.
        walk->as_loaded = false;
        walk_op_submit(walk, &(walk_op){.a = op->a / 8, .b = op->b / 64});
        walk_op_undo(walk, &(walk_op){.fail = 1 + op->b / 2 % 30});
        walk_append(walk, &(walk_op){.fail = 0}, "a log file after an undo with little memory");
    }
}

// Another process goes on with the log file, and is killed. What it did is then done here, too.
void walk_op_process(walk *walk, const walk_op *op)
{
    if (!walk->has_log || op->a % 4)
        return;
    walk_close_all(walk);
    walk_op_kill(walk, &(walk_op){.fail = 0});
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        return;
    walk_say(walk, child ? "// what another process has done:" : "// another process, with the same file:");
    if (!child)
        walk_op_log_open(walk, &(walk_op){.fail = 0});
    int status = 0;
    if (child && (waitpid(child, &status, 0) != child || status))
        _exit(1); // It has said why.
    walk_tree before;
    walk_copy(&before, &walk->tree);
    walk_op_submit_run(walk, &(walk_op){.a = op->a / 4, .b = op->b});
    walk_append(walk, &(walk_op){.fail = 0}, "the log file of another process");
    walk_op_undo(walk, &(walk_op){.fail = 0});
    walk_append(walk, &(walk_op){.fail = 0}, "the log file of another process");
    if (!child)
        _exit(0);
    const char *why = walk_differs(&before, &walk->tree);
    walk->visited = true;
    walk->played_on = why != NULL;
    walk_drop(&before);
    walk->as_loaded = false;
    walk_log_is(walk, "the log file of another process");
    walk_check_log(walk, "the log file of another process");
}
