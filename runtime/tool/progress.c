// Long work: a bar on a terminal, and Ctrl-C.

#include "tool/command.h"

#include <signal.h>

// A signal handler knows nothing else.
static volatile sig_atomic_t interrupted, listening;

// Without anybody who listens, and the second time, the program ends as any other.
static void note(int number)
{
    signal(number, SIG_DFL);
    if (!listening)
        raise(number);
    interrupted = 1;
}

void kifu__begin_work(kifu__work *work)
{
    *work = (kifu__work){.count = 1};
    interrupted = listening = 0;
    work->before = signal(SIGINT, note);
    if (work->before == SIG_IGN) // as of what runs in the background
        signal(SIGINT, SIG_IGN);
}

int kifu__end_work(const kifu__work *work, int status)
{
    kifu__hide_progress();
    if (work->before != SIG_ERR)
        signal(SIGINT, work->before);
    return interrupted ? KIFU__EXIT_INTERRUPTED : status;
}

bool kifu__is_interrupted(void)
{
    return interrupted;
}

// --- The bar ---------------------------------------------------------------------------------------------------------

static void draw(const kifu__line *line, uint64_t done, uint64_t all, const char *words, const char *what)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    if (line->quiet || !kifu__is_terminal(stderr))
        return;
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)(WIDTH * done / all));
    bar[WIDTH] = 0;
    fprintf(stderr, "\r\033[K[%s] %s  ", bar, words);
    kifu__put_safely(stderr, what);
    fflush(stderr);
}

void kifu__hide_progress(void)
{
    if (listening && kifu__is_terminal(stderr))
        fputs("\r\033[K", stderr);
    listening = 0;
}

void kifu__show_progress(const kifu__line *line, uint32_t done, uint32_t all, const char *what)
{
    char words[60];
    *line->work = (kifu__work){done, all < done + 1 ? done + 1 : all, 0, what, line, line->work->before};
    snprintf(words, sizeof words, "%u of %u", (unsigned)done, (unsigned)all);
    if (done < all)
        draw(line, done, all, words, what);
    else if (!line->quiet && kifu__is_terminal(stderr))
        fputs("\r\033[K", stderr);
}

bool kifu__goes_on(void *context, uint64_t done, uint64_t total)
{
    enum { PARTS = 1000 };
    kifu__work *work = (kifu__work *)context;
    const uint64_t at = PARTS * (uint64_t)work->number + PARTS * done / total, all = PARTS * (uint64_t)work->count;
    const uint32_t percent = (uint32_t)(100 * at / all);
    char words[60];
    listening = 1;
    if (work->count > 1)
        snprintf(words, sizeof words, "%u of %u", (unsigned)work->number, (unsigned)work->count);
    else
        snprintf(words, sizeof words, "%u %%", (unsigned)percent);
    if (percent >= work->next)
        draw(work->line, at, all, words, work->what ? work->what : "");
    work->next = percent >= work->next ? percent + 1 : work->next;
    return !interrupted;
}

kifu__open_options kifu__opening(const kifu__line *line, const char *path)
{
    if (line->work->count <= 1)
        *line->work = (kifu__work){0, 1, 0, path, line, line->work->before};
    return (kifu__open_options){.game = line->rules,
                                .schema = line->schema,
                                .memory = line->memory,
                                .progress = kifu__goes_on,
                                .context = line->work};
}
