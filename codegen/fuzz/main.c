// The program: its command line, game after game, and the report of what was found.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

// Few games are longer than the others, so that more of them lies behind the journal.
enum { LONG_GAMES = 20, LONGER = 8 };

enum { USUAL_STEPS = 100000, USUAL_LENGTH = 500, USUAL_SECONDS = 5, MOST_RUNS = 2000, MOST_SECONDS = 20 };

typedef struct arguments {
    uint64_t steps, seed;
    uint32_t length, step_seconds;
    const char *only; // the steps to do, "1,4-6"; NULL: all
    bool quiet, trace, here, worlds, help;
} arguments;

static const char usage[] =
    "Plays %s at random, and checks that every way through it gives the same bytes.\n\n"
    "  --steps N         how many steps in all (100000)\n"
    "  --seed S          the seed of the first game, which decides the seeds of the next ones (1)\n"
    "  --game-length L   steps of one game (500); one in twenty has eight times as many\n"
    "  --step-seconds N  how many seconds of processor time a step may take (5)\n"
    "  --quiet           write only what is wrong\n"
    "  --trace           write what is done in each game's last steps\n"
    "  --only LIST       does only these steps of the first game: 3,7-9\n"
    "  --worlds          only compares what viewers see of worlds that differ in what they do not see\n"
    "  --here            plays in this process, for a debugger: set a breakpoint at kifu_fuzz__fail\n\n"
    "The status is 0, 1 when something was found, 2 for a wrong command line. kifu_fuzz.h says more.\n";

static bool number(const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return !*end && *value <= most;
}

static bool parse(arguments *arguments, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        uint64_t length, seconds;
        if (strcmp(argv[i], "--quiet") == 0) {
            arguments->quiet = true;
        } else if (strcmp(argv[i], "--trace") == 0) {
            arguments->trace = true;
        } else if (strcmp(argv[i], "--here") == 0) {
            arguments->here = true;
        } else if (strcmp(argv[i], "--worlds") == 0) {
            arguments->worlds = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            arguments->help = true;
        } else if (strcmp(argv[i], "--steps") == 0 && number(value, UINT64_MAX, &arguments->steps)) {
            i++;
        } else if (strcmp(argv[i], "--seed") == 0 && number(value, UINT64_MAX, &arguments->seed)) {
            i++;
        } else if (strcmp(argv[i], "--game-length") == 0 && number(value, 1000000, &length) && length) {
            arguments->length = (uint32_t)length;
            i++;
        } else if (strcmp(argv[i], "--step-seconds") == 0 && number(value, 86400, &seconds) && seconds) {
            arguments->step_seconds = (uint32_t)seconds;
            i++;
        } else if (strcmp(argv[i], "--only") == 0 && value) {
            arguments->only = value;
            i++;
        } else {
            fprintf(stderr, "%s: unknown option %s%s%s; --help lists the options\n", argv[0], argv[i], value ? " " : "",
                    value ? value : "");
            return false;
        }
    }
    return true;
}

// SplitMix64's step: seeds that have nothing to do with each other.
static uint64_t next_seed(uint64_t seed)
{
    seed += UINT64_C(0x9E3779B97F4A7C15);
    seed = (seed ^ seed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    seed = (seed ^ seed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (seed ^ seed >> 31) >> 16; // shorter to copy
}

// --- Steps as lists -------------------------------------------------------------------------------------------------

// "1,4-6" into bytes by step.
static bool read_list(const char *list, unsigned char *wanted, uint32_t steps)
{
    memset(wanted, 0, steps + 1);
    while (*list) {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (end == list)
            return false;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (; first <= last && first <= steps; first++)
            wanted[first] = 1;
        if (*end && *end != ',')
            return false;
        list = *end ? end + 1 : end;
    }
    return true;
}

static void print_list(const unsigned char *wanted, uint32_t steps)
{
    const char *separator = "";
    for (uint32_t step = 1; step <= steps; step++) {
        uint32_t first = step;
        if (!wanted[step])
            continue;
        while (step < steps && wanted[step + 1])
            step++;
        printf(first == step ? "%s%" PRIu32 : "%s%" PRIu32 "-%" PRIu32, separator, first, step);
        separator = ",";
    }
}

static uint32_t count_wanted(const unsigned char *wanted, uint32_t steps)
{
    uint32_t count = 0;
    for (uint32_t step = 1; step <= steps; step++)
        count += wanted[step];
    return count;
}

// --- What was found -------------------------------------------------------------------------------------------------

static bool alike(const fuzz_outcome *one, const fuzz_outcome *other)
{
    return one->failed && other->failed && one->failure == other->failure && one->signal == other->signal &&
           one->status == other->status;
}

// A search for fewer steps with which the same is found.
typedef struct search {
    fuzz_plan *plan;
    const fuzz_outcome *found;
    fuzz_progress *progress;
    unsigned char *wanted, *before;
    double end; // in seconds
    uint32_t runs;
} search;

// Tries to do without `size` steps up to `last`; false when it has taken long enough.
static bool leave_out(search *search, uint32_t last, uint32_t size, bool *better)
{
    unsigned char *wanted = search->wanted;
    uint32_t first = last > size ? last - size + 1 : 1, left = 0;
    for (uint32_t step = first; step <= last; step++)
        left += wanted[step];
    if (!left)
        return true;
    if (++search->runs > MOST_RUNS || kifu_fuzz__seconds() > search->end)
        return false;
    memcpy(search->before, wanted, search->plan->steps + 1u);
    memset(wanted + first, 0, last - first + 1);
    fuzz_outcome outcome = kifu_fuzz__run(search->plan, search->progress, true, false);
    if (alike(search->found, &outcome))
        *better = true;
    else
        memcpy(wanted, search->before, search->plan->steps + 1u);
    return true;
}

// Leaves out steps, many at a time and then fewer, as long as the same is found.
static void shorten(fuzz_plan *plan, unsigned char *wanted, const fuzz_outcome *found, fuzz_progress *progress)
{
    search search = {plan, found, progress, wanted, malloc(plan->steps + 1u), kifu_fuzz__seconds() + MOST_SECONDS, 0};
    bool going = search.before != NULL, better = false;
    for (uint32_t size = plan->steps; going && size > 0; size = size > 1 || !better ? size / 2 : 1) {
        better = false;
        for (uint32_t last = plan->steps; going && last > 0; last = last > size ? last - size : 0)
            going = leave_out(&search, last, size, &better);
    }
    free(search.before);
}

static void print_outcome(const kifu_rules *rules, const fuzz_plan *plan, const fuzz_outcome *outcome,
                          const fuzz_progress *progress)
{
    char who[300];
    kifu_fuzz__who(rules, progress, who, sizeof who);
    printf("%s: game %" PRIu64 ", step %" PRIu32 " (%s): ", rules->name, plan->seed, outcome->step, progress->doing);
    if (outcome->failure)
        printf("%s", progress->report);
    else if (outcome->endless)
        printf("%s did not end: a step may take %" PRIu32 " second%s of processor time, and this one took more", who,
               plan->step_seconds, plan->step_seconds == 1 ? "" : "s");
    else if (outcome->signal)
        printf("%s crashed with signal %d", who, outcome->signal);
    else
        printf("%s ended the program with status %d%s", who, outcome->status,
               progress->ended ? ", after the game: memory was not freed?" : "; what it wrote is above");
    printf(".\n");
}

static void report(const kifu_rules *rules, fuzz_plan *plan, fuzz_outcome found, fuzz_progress *progress,
                   const arguments *arguments, const char *program)
{
    print_outcome(rules, plan, &found, progress);
    fflush(stdout);
    plan->at_exit = found.status && !found.failure;
    if (found.step && found.step < plan->steps)
        plan->steps = found.step;
    unsigned char *wanted = malloc(plan->steps + 1u);
    if (!wanted)
        return;
    if (plan->wanted)
        memcpy(wanted, plan->wanted, plan->steps + 1u);
    else
        memset(wanted, 1, plan->steps + 1u);
    plan->wanted = wanted;
    fuzz_outcome again = found;
    bool repeats = true;
    if (!arguments->here && !found.endless) { // That takes too long to be made shorter.
        again = kifu_fuzz__run(plan, progress, true, false);
        repeats = alike(&found, &again);
        if (repeats) {
            shorten(plan, wanted, &found, progress);
            again = kifu_fuzz__run(plan, progress, true, false);
            if (again.step && again.step < plan->steps)
                plan->steps = again.step;
        }
    }

    char save[300];
    snprintf(save, sizeof save, "%.200s-%" PRIu64 ".kifu", rules->name, plan->seed);
    plan->save = save;
    plan->save_at = again.failed ? again.step : plan->steps;
    progress->tracing = true;
    again = kifu_fuzz__run(plan, progress, true, arguments->here);
    repeats = repeats && alike(&found, &again);
    if (!repeats)
        printf("A second run of this game did not find the same: something depends on time, addresses, or memory that "
               "was never set.\n");
    if (repeats && again.failed) {
        printf("The shortest way to it that was found, %" PRIu32 " steps:\n  %s\n", count_wanted(wanted, plan->steps),
               progress->trace);
        print_outcome(rules, plan, &again, progress);
    }
    if (progress->saved)
        printf("The game before that: %s\n", save);
    if (!count_wanted(wanted, plan->steps))
        plan->steps = 0;
    printf("Run it again:\n  %s --seed %" PRIu64 " --steps %" PRIu32, program, plan->seed, plan->steps);
    if (plan->steps > USUAL_LENGTH)
        printf(" --game-length %" PRIu32, plan->steps);
    if (plan->step_seconds != USUAL_SECONDS)
        printf(" --step-seconds %" PRIu32, plan->step_seconds);
    if (plan->worlds)
        printf(" --worlds");
    uint32_t count = count_wanted(wanted, plan->steps);
    if (count && count < plan->steps) {
        printf(" --only ");
        print_list(wanted, plan->steps);
    }
    printf("\n");
    free(wanted);
}

// What shows a player something hidden, and where the schema need not say so.
static void print_revealed(const kifu_rules *rules, const fuzz_progress *progress)
{
    const char *separator = "Events that showed a player something hidden: ";
    for (uint32_t type = 1; type <= rules->type_count && type < 256; type++) {
        if (!progress->revealed[type])
            continue;
        printf("%s%" PRIu64 " × %s", separator, progress->revealed[type], rules->types[type].table->name);
        separator = ", ";
    }
    if (*separator == ',')
        printf(".\n");
    for (uint32_t type = 1; type <= rules->type_count && type < 256; type++) {
        if (progress->by_mask[type])
            printf("(reveals) of %s was needless in %" PRIu64 " of %" PRIu64 " events: the masks say so.\n",
                   rules->types[type].table->name, progress->by_mask[type], progress->revealed[type]);
    }
}

static void print_counts(const kifu_rules *rules, const fuzz_progress *progress, uint64_t steps, uint64_t games)
{
    printf("%s: %" PRIu64 " steps in %" PRIu64 " games: %" PRIu64 " events, %" PRIu64 " inputs, %" PRIu64 " refusals",
           rules->name, steps, games, progress->events, progress->inputs, progress->refused);
    for (uint32_t i = 1; kifu_fuzz__operation_name(i); i++) {
        if (progress->done[i])
            printf(", %" PRIu64 " × %s", progress->done[i], kifu_fuzz__operation_name(i));
    }
    printf(". Nothing was found.\n");
    if (progress->worlds)
        printf("%" PRIu64 " pairs of worlds, %" PRIu64
               " of them compared to the end, with %.1f hidden elements exchanged "
               "in each, looked the same to those who do not see these.\n",
               progress->worlds, progress->worlds - progress->parted,
               (double)progress->exchanged / (double)progress->worlds);
    if (rules->hiding)
        print_revealed(rules, progress);
    if (progress->misused)
        printf("In %" PRIu64 " of the refusals the rules misused Kifu, as here: %s\n", progress->misused,
               progress->misuse);
}

int kifu_fuzz_main(const kifu_rules *rules, const kifu_fuzz_hooks *hooks, int argc, char **argv)
{
    arguments arguments = {.steps = USUAL_STEPS, .seed = 1, .length = USUAL_LENGTH, .step_seconds = USUAL_SECONDS};
    if (!parse(&arguments, argc, argv))
        return 2;
    if (arguments.help) {
        printf(usage, rules->name);
        return 0;
    }
    if (arguments.worlds && !(rules->hiding && rules->hiding->value_count)) {
        fprintf(stderr, "%s: --worlds is for games that hide something, and %s does not\n", argv[0], rules->name);
        return 2;
    }
    fuzz_progress *progress = kifu_fuzz__progress();
    unsigned char *wanted = arguments.only ? malloc(arguments.length + 1u) : NULL;
    if (!progress || (arguments.only && !wanted)) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return 2;
    }
    if (wanted && !read_list(arguments.only, wanted, arguments.length)) {
        fprintf(stderr, "%s: --only needs a list such as 3,7-9\n", argv[0]);
        free(wanted);
        return 2;
    }
    fuzz_plan plan = {.rules = rules,
                      .hooks = hooks,
                      .seed = arguments.seed,
                      .step_seconds = arguments.step_seconds,
                      .wanted = wanted,
                      .worlds = arguments.worlds,
                      .at_exit = true};
    uint64_t left = arguments.steps, games = 0;
    int status = 0;
    do { // No steps: only the beginning.
        uint32_t length = games % LONG_GAMES == LONG_GAMES - 1 ? arguments.length * LONGER : arguments.length;
        plan.steps = left < length ? (uint32_t)left : length;
        progress->tracing = arguments.trace;
        fuzz_outcome outcome = kifu_fuzz__run(&plan, progress, false, arguments.here);
        if (arguments.trace)
            printf("%s: game %" PRIu64 ":\n  %s\n", rules->name, plan.seed, progress->trace);
        if (outcome.failed) {
            report(rules, &plan, outcome, progress, &arguments, argv[0]);
            status = 1;
        }
        left -= plan.steps;
        plan.seed = next_seed(plan.seed);
        plan.wanted = NULL;
        plan.at_exit = false; // leaks are looked for once: it takes long
        games++;
    } while (left > 0 && !status);
    if (!status && !arguments.quiet)
        print_counts(rules, progress, arguments.steps, games);
    free(wanted);
    return status;
}
