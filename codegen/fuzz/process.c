// Each game in a process of its own: a crash does not end the search, and nothing that a game's code keeps in statics
// goes from one game to the next, so that the game alone does the same again. Where there is no fork, games are played
// here.

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_FORK 1
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#define _DARWIN_C_SOURCE
#endif

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz.h"

#ifdef HAVE_FORK
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

enum { FOUND = 3, MOST_WAITING = 120 };

// Where a game that is played here goes when something is found.
static jmp_buf *found_here;

_Noreturn void kifu_fuzz__end(fuzz *fuzz)
{
    (void)fuzz;
    if (found_here)
        longjmp(*found_here, 1);
    fflush(NULL);
    _Exit(FOUND);
}

static char log_path[600];

static void play_here(const fuzz_plan *plan, fuzz_progress *progress)
{
    jmp_buf found;
    found_here = &found;
    if (setjmp(found) == 0)
        kifu_fuzz__play(plan, progress);
    found_here = NULL;
}

#ifdef HAVE_FORK

static char log_folder[540];

// For the log file, and what a game that was killed while it wrote one has left beside it.
static void make_log_folder(const char *where)
{
    snprintf(log_folder, sizeof log_folder, "%.500s/kifu-fuzz-%ld", where, (long)getpid());
    snprintf(log_path, sizeof log_path, "%s/game.kifu", log_folder);
    if (mkdir(log_folder, 0777))
        log_path[0] = '\0';
}

static void remove_log_folder(void)
{
    char path[sizeof log_path + 300];
    DIR *folder = opendir(log_folder);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        snprintf(path, sizeof path, "%s/%.250s", log_folder, entry->d_name);
        unlink(path); // not "." and ".."
    }
    if (folder)
        closedir(folder);
    rmdir(log_folder);
}

// Who ends the search ends the game that is played, and leaves no files.
static volatile sig_atomic_t playing, stopped;
static const int signals[] = {SIGINT, SIGTERM};

static void stop(int number)
{
    stopped = number;
    if (playing)
        kill((pid_t)playing, SIGKILL);
}

static void listen_to_signals(void (*handler)(int))
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], handler);
}

fuzz_progress *kifu_fuzz__progress(void)
{
    void *memory = mmap(NULL, sizeof(fuzz_progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void be_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
}

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW 1
#endif
#endif

static uint32_t step_seconds; // 0: no limit

void kifu_fuzz__begin_step(void)
{
    const struct itimerval time = {.it_value = {.tv_sec = step_seconds}};
    if (step_seconds)
        setitimer(ITIMER_VIRTUAL, &time, NULL);
}

// A Do function that does not end takes processor time or memory; what only waits, the alarm ends. Sanitizers reserve
// more addresses than there is memory: there, only the blocks of timelines are limited (starve.c).
static void set_limits(const fuzz_plan *plan)
{
    step_seconds = plan->step_seconds;
    kifu_fuzz__begin_step();
#ifndef HAS_SHADOW
    const struct rlimit bytes = {(rlim_t)FUZZ_MOST_MIB << 20, (rlim_t)FUZZ_MOST_MIB << 20};
    setrlimit(RLIMIT_AS, &bytes);
#endif
    alarm(MOST_WAITING);
}

static void play_apart(const fuzz_plan *plan, fuzz_progress *progress, bool silent, fuzz_outcome *outcome)
{
    fflush(NULL);
    listen_to_signals(stop);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (child == 0) {
        listen_to_signals(SIG_DFL);
        set_limits(plan);
        if (silent)
            be_silent();
        kifu_fuzz__play(plan, progress);
        if (plan->at_exit)
            exit(0); // where sanitizers look for leaks
        fflush(NULL);
        _Exit(0);
    }
    playing = child;
    if (stopped)
        kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    playing = 0;
    listen_to_signals(SIG_DFL);
    if (stopped) {
        remove_log_folder();
        raise(stopped);
    }
    outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome->endless = outcome->signal == SIGALRM || outcome->signal == SIGVTALRM;
    outcome->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

#else

static void make_log_folder(const char *where)
{
    static unsigned long long number; // No other process may have it.
    if (!number && !kifu_entropy(&number, sizeof number))
        number = (unsigned long long)time(NULL);
    snprintf(log_path, sizeof log_path, "%.500s/kifu-fuzz-%llx.kifu", where, number);
}

static void remove_log_folder(void)
{
    remove(log_path);
}

fuzz_progress *kifu_fuzz__progress(void)
{
    return calloc(1, sizeof(fuzz_progress));
}

void kifu_fuzz__begin_step(void)
{
}

static void play_apart(const fuzz_plan *plan, fuzz_progress *progress, bool silent, fuzz_outcome *outcome)
{
    (void)silent;
    (void)outcome;
    play_here(plan, progress);
}

#endif

const char *kifu_fuzz__log_path(void)
{
    return log_path;
}

fuzz_outcome kifu_fuzz__run(const fuzz_plan *plan, fuzz_progress *progress, bool silent, bool here)
{
    fuzz_outcome outcome = {.failed = false};
    progress->step = 0;
    progress->doing = "beginning";
    progress->failure = progress->function = NULL;
    progress->ended = progress->saved = false;
    progress->trace_size = 0;
    progress->trace[0] = progress->report[0] = '\0';
    const char *where = getenv("TMPDIR");
    make_log_folder(where && *where ? where : ".");
    if (here)
        play_here(plan, progress);
    else
        play_apart(plan, progress, silent, &outcome);
    remove_log_folder();
    outcome.step = progress->step;
    outcome.failure = progress->failure;
    outcome.failed = progress->failure || !progress->ended || outcome.signal || outcome.status;
    return outcome;
}

// --- What runs -------------------------------------------------------------------------------------------------------

static const kifu_rules *watched;
static fuzz_progress *noted;

static kifu_verdict check(kifu_timeline *timeline, uint32_t type, const void *state, void *event)
{
    const char *function = noted->function;
    const uint32_t before = noted->type;
    noted->function = "the check of";
    noted->type = type;
    const kifu_verdict verdict = watched->check(timeline, type, state, event);
    noted->function = function;
    noted->type = before;
    return verdict;
}

static kifu_result do_event(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                            void *transient)
{
    noted->function = "the Do function of";
    noted->type = type;
    const kifu_result result = watched->do_event(timeline, type, state, event, transient);
    noted->function = NULL;
    return result;
}

const kifu_rules *kifu_fuzz__watch(const kifu_rules *rules, fuzz_progress *progress)
{
    static kifu_rules watching;
    watching = *rules;
    watched = rules;
    noted = progress;
    if (rules->check)
        watching.check = check;
    watching.do_event = do_event;
    return &watching;
}

void kifu_fuzz__who(const kifu_rules *rules, const fuzz_progress *progress, char *who, size_t size)
{
    snprintf(who, size, "%s%s%s", progress->function ? progress->function : "it", progress->function ? " " : "",
             progress->function ? rules->types[progress->type].table->name : "");
}

double kifu_fuzz__seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
