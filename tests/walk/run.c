#include "run.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../sanitizers.h"

// What a child tells its parent.
typedef struct shared {
    walk_end end;
    uint64_t number, steps;
} shared;

static shared *share;

_Noreturn void walk_fail(const char *kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (share && !share->end.failed) {
        share->end.failed = true;
        snprintf(share->end.kind, sizeof share->end.kind, "%s", kind);
        vsnprintf(share->end.message, sizeof share->end.message, format, args);
        for (char *at = share->end.message; *at; at++)
            *at = *at == '\n' ? ' ' : *at;
    }
    va_end(args);
    fflush(NULL);
    _exit(1);
}

void walk_say(walk *walk, const char *format, ...)
{
    if (!walk->print)
        return;
    va_list args;
    va_start(args, format);
    vfprintf(walk->print, format, args);
    va_end(args);
    fputc('\n', walk->print);
    fflush(walk->print);
}

// --- Plans -----------------------------------------------------------------------------------------------------------

static uint32_t draw(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(z >> 32);
}

static uint32_t draw_kind(uint64_t *state)
{
    uint32_t total = 0, kind = 0;
    for (uint32_t i = 0; i < walk_kind_count; i++)
        total += walk_kinds[i].weight;
    uint32_t left = draw(state) % total;
    while (left >= walk_kinds[kind].weight)
        left -= walk_kinds[kind++].weight;
    return kind;
}

void walk_make_plan(walk_plan *plan, uint64_t seed)
{
    uint64_t state = seed * UINT64_C(0xD1342543DE82EF95) + 1;
    static const uint32_t games[] = {0, 0, 0, 1, 1, 1, 2, 2, 3};
    *plan = (walk_plan){.count = 0};
    plan->config = (walk_config){
        .game = games[draw(&state) % 9],
        .no_variations = draw(&state) % 6 == 0,
        .no_notes = draw(&state) % 4 == 0,
        .no_root = draw(&state) % 8 == 0,
        .sync = draw(&state) % 12 == 0,
        .records = draw(&state) % 12 == 0,
        .logged = draw(&state) % 2,
        .hash_interval = draw(&state) % 3 ? 3 : 0,
    };
    const bool starves = plan->config.starves = draw(&state) % 3 == 0;
    plan->config.promotes = draw(&state) % 3 == 0;
    plan->config.forks_more = true;
    plan->count = 20 + draw(&state) % 61;
    for (uint32_t i = 0; i < plan->count; i++) {
        walk_op *op = &plan->ops[i];
        *op = (walk_op){.kind = draw_kind(&state)};
        op->a = draw(&state);
        op->b = draw(&state);
        op->fail = starves && draw(&state) % 4 == 0 ? 1 + draw(&state) % 60 : 0;
    }
}

// --- Processes -------------------------------------------------------------------------------------------------------

static const char *folder(void)
{
    const char *name = getenv("TMPDIR");
    struct stat info;
    if (name && *name)
        return name;
    return !stat("/dev/shm", &info) && !access("/dev/shm", W_OK) ? "/dev/shm" : "/tmp";
}

// A walk that goes on for longer hangs: of processor time, so that other programs make no difference.
static void limit_time(void)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = 10}}, NULL);
}

static void prepare_child(void)
{
    signal(SIGXFSZ, SIG_IGN);
#ifndef HAS_SHADOW
    setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)2 << 30, (rlim_t)2 << 30});
#endif
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    limit_time();
}

static void path_of(char *path, size_t size)
{
    snprintf(path, size, "%s/kifu-walk-%ld.kifu", folder(), (long)getpid());
}

// What the child's end says where it said nothing itself.
static void judge(int status)
{
    if (share->end.failed || !status)
        return;
    share->end.failed = true;
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    snprintf(share->end.kind, sizeof share->end.kind, number == SIGPROF ? "hang" : "crash");
    snprintf(share->end.message, sizeof share->end.message, "%s (%s %d)",
             number == SIGPROF ? "it never ends" : "it crashes", number ? "signal" : "status",
             number ? number : WEXITSTATUS(status));
}

static void open_share(void)
{
    if (!share)
        share = (shared *)mmap(NULL, sizeof *share, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (share == MAP_FAILED)
        abort();
    memset(share, 0, sizeof *share);
}

static void remove_path(pid_t child)
{
    static const char *const names[][2] = {{"", ""},          {"", ".kept"},          {".", ".lock"},
                                           {"", ".followed"}, {"", ".followed.kept"}, {".", ".followed.lock"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%skifu-walk-%ld.kifu%s", folder(), names[i][0], (long)child, names[i][1]);
        unlink(path);
    }
}

walk_end walk_one(const walk_plan *plan, FILE *print)
{
    open_share();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        char path[200];
        prepare_child();
        path_of(path, sizeof path);
        if (!print && !getenv("WALK_LOUD")) { // A sanitizer's words are for the last run.
            FILE *quiet = freopen("/dev/null", "w", stderr);
            (void)quiet;
        }
        walk_run(plan, path, print);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    remove_path(child);
    judge(status);
    return share->end;
}

bool walk_many(uint64_t first, uint64_t count, int game, uint64_t *number, walk_end *end, uint64_t *steps)
{
    enum { BATCH = 500 };
    walk_plan plan;
    for (uint64_t begin = first; begin < first + count; begin += BATCH) {
        open_share();
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            char path[200];
            prepare_child();
            path_of(path, sizeof path);
            for (uint64_t i = begin; i < begin + BATCH && i < first + count; i++) {
                walk_make_plan(&plan, i);
                if (game >= 0)
                    plan.config.game = (uint32_t)game;
                share->number = i;
                limit_time();
                walk_run(&plan, path, NULL);
                share->steps += plan.count;
            }
            _exit(0);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child)
            abort();
        remove_path(child);
        judge(status);
        *steps += share->steps;
        if (share->end.failed) {
            *number = share->number;
            *end = share->end;
            return false;
        }
    }
    return true;
}

// --- Making it short -------------------------------------------------------------------------------------------------

static bool still(const walk_plan *plan, const walk_end *end)
{
    const walk_end now = walk_one(plan, NULL);
    return now.failed && !strcmp(now.kind, end->kind);
}

static bool without(walk_plan *plan, uint32_t at, uint32_t count, const walk_end *end)
{
    walk_plan shorter = *plan;
    shorter.count -= count;
    memmove(&shorter.ops[at], &plan->ops[at + count], (plan->count - at - count) * sizeof *plan->ops);
    if (!still(&shorter, end))
        return false;
    *plan = shorter;
    return true;
}

static void simplify(walk_plan *plan, uint32_t at, const walk_end *end)
{
    walk_plan simpler = *plan;
    walk_op *op = &simpler.ops[at];
    const walk_op was = *op;
    if (op->fail) {
        op->fail = 0;
        if (still(&simpler, end))
            *plan = simpler;
        else
            *op = was;
    }
    for (uint32_t value = 0; value < 8; value++) {
        simpler = *plan;
        if (simpler.ops[at].a <= value)
            break;
        simpler.ops[at].a = value;
        if (still(&simpler, end)) {
            *plan = simpler;
            break;
        }
    }
    for (uint32_t value = 0; value < 8; value++) {
        simpler = *plan;
        if (simpler.ops[at].b <= value)
            break;
        simpler.ops[at].b = value;
        if (still(&simpler, end)) {
            *plan = simpler;
            break;
        }
    }
}

void walk_shrink(walk_plan *plan, const walk_end *end)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t size = plan->count / 2; size > 0; size /= 2) {
            for (uint32_t at = 0; at + size <= plan->count;) {
                if (without(plan, at, size, end))
                    again = true;
                else
                    at += size;
            }
        }
    }
    walk_plan simpler = *plan;
    simpler.config.logged = false;
    if (plan->config.logged && still(&simpler, end))
        *plan = simpler;
    simpler = *plan;
    simpler.config.no_notes = true;
    if (!plan->config.no_notes && still(&simpler, end))
        *plan = simpler;
    for (uint32_t at = 0; at < plan->count; at++)
        simplify(plan, at, end);
}
