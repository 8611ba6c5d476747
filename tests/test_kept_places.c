// What waits at many places of one branch, and the branches of a deep tree: each is found, added and removed in a few
// steps, whatever order a file has them in.

#include "changes_help.h"
#include "commit_help.h"
#include "core/timeline.h"
#include "log_file_help.h"
#include "save_help.h"
#include "suite.h"
#include "tally_help.h"

enum { PLACES = 2000 }; // and twice, and four times as many

typedef enum order { ASCENDING, DESCENDING, INWARDS, ORDERS } order;

// The place that comes as number `i` of those from 1 on.
static uint32_t place_at(order order, uint32_t i, uint32_t count)
{
    return order == ASCENDING             ? i + 1
           : order == DESCENDING || i % 2 ? count - i / (order == INWARDS ? 2 : 1)
                                          : i / 2 + 1;
}

// --- A file by hand --------------------------------------------------------------------------------------------------

// A record 'kept': PAdd 2 waits there. Its shape is number 0, which may be new.
static unsigned char *put_kept(unsigned char *at, uint32_t place, bool new_shape)
{
    static const unsigned char begin[] = {1, 1, 0}, shape[] = {1, 2, 2, 12, 4, 0},
                               row[] = {6, 0, 3, 2, 0, 0, 0, 0, 0, 0, 0};
    unsigned char body[40], *end = put_number(put_number(put_number(body, 0), place), 0);
    memcpy(end, begin, sizeof begin);
    end += sizeof begin;
    memcpy(end, shape, new_shape ? sizeof shape : 0);
    end += new_shape ? sizeof shape : 0;
    memcpy(end, row, sizeof row);
    end += sizeof row;
    at = put_number(put_number(at, RECORD_KEPT), (uint32_t)(end - body));
    memcpy(at, body, (size_t)(end - body));
    return at + (end - body);
}

// All of these places, in such an order, and the hash of the state: `records` is from malloc.
static uint32_t put_places(order order, uint32_t count, const record *hash, bool new_shape, unsigned char **records)
{
    unsigned char *at = *records = (unsigned char *)malloc(40 * (size_t)count + 200);
    ck_assert_ptr_nonnull(at);
    for (uint32_t i = 0; i < count; i++)
        at = put_kept(at, place_at(order, i, count), new_shape && !i);
    at = put_number(put_number(at, RECORD_HASH), hash->size);
    memcpy(at, hash->body, hash->size);
    return (uint32_t)(at - *records) + hash->size;
}

static kifu_timeline *game_of(uint32_t events)
{
    kifu_timeline *tally = new_tally(NULL);
    for (uint32_t i = 0; i < events; i++)
        play(tally, 1);
    return tally;
}

// A log file of so many events and one more, and such a commit at its end.
static save log_of_places(order order, uint32_t count)
{
    char *folder = new_folder();
    const char *path = in_folder(folder, "log.kifu");
    kifu_timeline *tally = game_of(count + 1);
    must(tally, kifu_log_open(tally, path, NULL));
    save log;
    log.bytes = read_bytes(path, &log.size);
    frames frames = frames_of(&log);
    const records first = records_of(&frames.all[find_frame(&frames, FRAME_COMMIT)]);
    unsigned char *commit;
    const uint32_t size = put_places(order, count, &first.all[find_record(&first, RECORD_HASH)], false, &commit);
    unsigned char *payload = (unsigned char *)malloc(LINK_SIZE + (size_t)size);
    ck_assert_ptr_nonnull(payload);
    memset(payload, 0, LINK_SIZE);
    memcpy(payload + LINK_SIZE, commit, size);
    insert_frame(&frames, frames.count, FRAME_COMMIT, payload, LINK_SIZE + size);
    save made = save_of_frames(&frames);
    free(payload);
    free(commit);
    free(log.bytes);
    kifu_destroy(tally);
    remove_folder(folder);
    return made;
}

static kifu_timeline *load_places(const save *log)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations};
    const kifu_load_options how = {.recover = kifu_recover};
    kifu_timeline *tally;
    kifu_error error;
    const kifu_result result =
        kifu_load_from_memory(&tally_rules, log->bytes, log->size, &options, &how, &tally, &error);
    ck_assert_msg(!result, "%s", error.message);
    return tally;
}

// How many steps lead to the deepest one; `count` grows by how many there are.
static uint32_t deepest(const kifu__kept *kept, uint32_t *count)
{
    if (!kept)
        return 0;
    ++*count;
    const uint32_t first = deepest(kept->below[0], count), second = deepest(kept->below[1], count);
    return 1 + (first > second ? first : second);
}

// All of them are there, from the last to the first, and none is far.
static void expect_places(const kifu_timeline *tally, uint32_t count)
{
    kifu__kept_at at = kifu__kept_along(tally->log.branch, KIFU_NONE, 0);
    uint32_t found = 0;
    ck_assert_uint_le(deepest(tally->log.branch->kept, &found), 33); // A place has 32 bits.
    ck_assert_uint_eq(found, count);
    for (uint32_t place = count; place; place--, kifu__kept_before(&at)) {
        ck_assert_uint_eq(at.kept->executed, place);
        ck_assert_uint_eq(at.kept->inputs.count, 1);
    }
    ck_assert_ptr_null(at.kept);
}

// Each redo stops where something waits, and takes it up.
static void go_through(kifu_timeline *tally)
{
    must(tally, kifu_go_to(tally, 0, 0, false));
    for (uint32_t place = 1; place <= 20; place++) {
        must(tally, kifu_redo(tally));
        ck_assert_uint_eq(tally->executed, place);
        ck_assert_uint_eq(kifu_pending_count(tally), 1);
        must(tally, kifu_drop_inputs(tally));
    }
}

START_TEST(R07_what_waits_at_many_places_of_a_file_is_found_in_few_steps)
{
    for (int order = 0; order < ORDERS; order++) {
        for (uint32_t count = PLACES; count <= 4 * PLACES; count *= 2) {
            save log = log_of_places((enum order)order, count);
            kifu_timeline *tally = load_places(&log);
            expect_places(tally, count);
            go_through(tally);
            kifu_destroy(tally);
            free(log.bytes);
        }
    }
}
END_TEST

// --- Changes by hand -------------------------------------------------------------------------------------------------

// Behind the last commit that a follower of the game has. `bad`: it is refused at its end.
static kifu_result apply_places(kifu_timeline *tally, kifu_timeline *follower, order order, uint32_t count, bool bad)
{
    const kifu_stream_position at = kifu_followed(follower);
    must(tally, kifu_undo(tally));
    must(tally, kifu_redo(tally)); // Nothing has changed.
    must(tally, kifu_set_note(tally, 1, KIFU_NOTE_COMMENT, "here"));
    kifu_changes changes = changes_since(tally, &at);
    const unsigned char *head = changes.bytes + 4 + 8, *one;
    (void)number_at(&head);
    head += 4;
    (void)number_at(&head);
    head += 4;
    one = head;
    const uint32_t size = number_at(&one);
    const records records = records_in(one, one + size);
    unsigned char *commit;
    record hash = records.all[find_record(&records, RECORD_HASH)];
    unsigned char wrong[8];
    memcpy(wrong, hash.body, 8);
    wrong[0] ^= bad;
    hash.body = wrong;
    const uint32_t made = put_places(order, count, &hash, true, &commit);
    const size_t begin = (size_t)(head - changes.bytes);
    unsigned char *bytes = (unsigned char *)malloc(begin + made + 20);
    memcpy(bytes, changes.bytes, begin);
    unsigned char *end = put_number(bytes + begin, made);
    memcpy(end, commit, made);
    set32(end + made, crc_of(at.checksum, commit, made));
    const kifu_result result = kifu_apply_changes(follower, bytes, (size_t)(end + made + 4 - bytes));
    free(bytes);
    free(commit);
    free(changes.bytes);
    return result;
}

START_TEST(R07_what_waits_at_many_places_of_changes_is_found_in_few_steps)
{
    for (int order = 0; order < ORDERS; order++) {
        kifu_timeline *tally = game_of(PLACES + 1), *follower = new_tally(NULL);
        must(follower, pass_changes(tally, NULL, follower));
        ck_assert_int_eq(apply_places(tally, follower, (enum order)order, PLACES, true), KIFU_DIVERGED);
        expect_places(follower, 0);
        must(follower, apply_places(tally, follower, (enum order)order, PLACES, false));
        expect_places(follower, PLACES);
        go_through(follower);
        kifu_destroy(tally);
        kifu_destroy(follower);
    }
}
END_TEST

// --- By the game -----------------------------------------------------------------------------------------------------

// Something waits at each second place. Then the game goes to and fro, and every copy has the same.
START_TEST(R07_a_game_in_which_something_waits_at_many_places)
{
    enum { MANY = 1000 };
    kifu_timeline *tally = game_of(2 * MANY), *follower = new_tally(NULL), *loaded;
    must(follower, pass_changes(tally, NULL, follower));
    for (uint32_t i = MANY; i-- > 0;) {
        must(tally, kifu_go_to(tally, 0, 2 * i + 1, false));
        tally_submit_p_add(tally, 0, (int)i, NULL);
        if (i % 250 == 0)
            must_pass_on(tally, follower);
    }
    must(tally, kifu_go_to(tally, 0, 0, false));
    must_pass_on(tally, follower);
    uint32_t count = 0;
    ck_assert_uint_le(deepest(tally->log.branch->kept, &count), 33);
    ck_assert_uint_eq(count, MANY);
    save whole = save_of(tally, NULL);
    loaded = load_places(&whole);
    expect_equal(tally, loaded, "a load");
    for (uint32_t i = 0; i < MANY; i += 50) { // It stops at each.
        must(loaded, kifu_go_to(loaded, 0, 2 * i + 1, true));
        ck_assert_uint_eq(kifu_pending_count(loaded), 1);
        must(loaded, kifu_drop_inputs(loaded));
    }
    must(loaded, kifu_go_to(loaded, 0, 2 * MANY, false));
    free(whole.bytes);
    kifu_destroy(tally);
    kifu_destroy(follower);
    kifu_destroy(loaded);
}
END_TEST

// --- The tree alone --------------------------------------------------------------------------------------------------

enum { NODES = 64 };

// A place of each size; the first and the last one, too.
static uint32_t far_place(uint32_t i)
{
    return i == NODES - 1 ? KIFU_NONE - 1 : i % 2 ? (i << (i / 2)) | i : i;
}

static void expect_tree(const kifu__branch *branch, const bool *there)
{
    for (uint32_t i = 0; i < NODES; i++) {
        const uint32_t place = far_place(i);
        uint32_t before = 0, behind = 0;
        bool any_before = false, any_behind = false;
        for (uint32_t k = 0; k < NODES; k++) {
            const uint32_t other = far_place(k);
            if (there[k] && other <= place && (!any_before || other > before)) {
                any_before = true;
                before = other;
            }
            if (there[k] && other >= place && (!any_behind || other < behind)) {
                any_behind = true;
                behind = other;
            }
        }
        const kifu__kept *up = kifu__kept_up_to(branch, place), *from = kifu__kept_from(branch, place);
        ck_assert((up != NULL) == any_before && (!up || up->executed == before));
        ck_assert((from != NULL) == any_behind && (!from || from->executed == behind));
        const kifu__kept *kept = kifu__find_kept(branch, place);
        ck_assert((kept != NULL) == there[i] && (!kept || kept->executed == place));
    }
}

START_TEST(R07_places_are_found_added_taken_and_moved)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 24, 1);
    kifu__kept nodes[NODES] = {{.executed = 0}};
    bool there[2][NODES] = {{false}};
    kifu__branch branches[2] = {{.kept = NULL}};
    for (uint32_t i = 0; i < NODES; i++)
        nodes[i].executed = far_place(i);
    for (int round = 0; round < 3000; round++) {
        const uint32_t i = kifu_rng_below(&rng, NODES), b = kifu_rng_below(&rng, 2);
        if (kifu_rng_below(&rng, 40) == 0) { // Those behind it go to the other one.
            kifu__move_kept(&branches[b], far_place(i), &branches[!b]);
            for (uint32_t k = 0; k < NODES; k++) {
                if (there[b][k] && far_place(k) > far_place(i)) {
                    there[b][k] = false;
                    there[!b][k] = true;
                }
            }
        } else if (there[b][i]) {
            ck_assert_ptr_eq(kifu__remove_kept(&branches[b], far_place(i)), &nodes[i]);
            there[b][i] = false;
        } else if (there[!b][i])
            ck_assert_ptr_null(kifu__remove_kept(&branches[b], far_place(i)));
        else {
            kifu__add_kept(&branches[b], &nodes[i]);
            there[b][i] = true;
        }
        expect_tree(&branches[b], there[b]);
    }
}
END_TEST

// --- Branches --------------------------------------------------------------------------------------------------------

static void commit_without_memory(kifu_timeline *timeline, test_memory *memory)
{
    memory->until_failure = 0;
    must(timeline, kifu_commit(timeline));
    memory->until_failure = -1;
}

// What was begun where events lie behind goes on in a hidden branch, and takes their place when it is committed.
START_TEST(R01_without_variations_there_is_one_branch)
{
    enum { EVENTS = 60 };
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *timeline;
    ck_assert_int_eq(kifu_create(&tally_rules, &options, &timeline, NULL), KIFU_OK);
    for (int i = 1; i <= EVENTS; i++)
        play(timeline, i);
    for (int i = 0; i < EVENTS / 2; i++)
        must(timeline, kifu_undo(timeline));
    const uint32_t place = kifu_event_count(timeline);
    must(timeline, kifu_begin(timeline, 0));
    play(timeline, 500);
    must(timeline, kifu_undo(timeline));
    must(timeline, kifu_begin(timeline, 0)); // and once more, inside
    for (int i = 0; i < 20 * EVENTS; i++)    // more than one segment
        play(timeline, 600);
    ck_assert_ptr_ne(timeline->log.branch, &timeline->log.first);
    commit_without_memory(timeline, &memory);
    play(timeline, 700);
    commit_without_memory(timeline, &memory);
    ck_assert_ptr_eq(timeline->log.branch, &timeline->log.first);
    ck_assert_uint_eq(kifu_event_count(timeline), place + 20 * EVENTS + 1);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL), 0);
    ck_assert_int_eq(tally_get_state(timeline)->total, EVENTS / 2 * (EVENTS / 2 + 1) / 2 + 20 * EVENTS * 600 + 700);
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

// So many lines, each of which begins in the one before.
static kifu_timeline *deep_tally(uint32_t lines)
{
    kifu_timeline *timeline = new_tally(NULL);
    play(timeline, 3);
    for (uint32_t i = 1; i < lines; i++) {
        play(timeline, 1);
        must(timeline, kifu_undo(timeline));
        play(timeline, 2);
        ck_assert_uint_eq(kifu_current_line(timeline), i);
    }
    ck_assert_uint_eq(timeline->log.branch->depth, lines - 1);
    return timeline;
}

// A branch is found in few steps, however many lead to it.
START_TEST(R01_an_event_of_a_deep_tree_is_found_in_few_steps)
{
    enum { DEEP = 3000 };
    kifu_timeline *timeline = deep_tally(DEEP);
    kifu__branch *path = timeline->log.branch;
    for (uint32_t depth = 0; depth < DEEP; depth++) {
        const kifu__branch *branch = path;
        uint32_t steps = 0, end;
        for (; branch->depth > depth; steps++)
            branch = branch->far->depth >= depth ? branch->far : branch->parent;
        ck_assert_uint_le(steps, 3 * 12); // 2^12 > DEEP
        ck_assert_ptr_eq(branch, kifu__owner(path, branch->end - (branch != path), &end));
        ck_assert(kifu__leads_through(path, branch));
    }
    must(timeline, kifu_verify_replay(timeline, NULL));
    kifu_destroy(timeline);
}
END_TEST

// What waits elsewhere is looked for no further up than anything has ever been kept.
START_TEST(R07_what_waits_in_a_deep_tree_is_found_in_few_steps)
{
    enum { DEEP = 300 };
    kifu_timeline *timeline = deep_tally(DEEP);
    kifu__branch *path = timeline->log.branch;
    kifu__kept_at at = kifu__kept_along(path, KIFU_NONE, timeline->log.keeps_from);
    ck_assert_ptr_null(at.kept);
    ck_assert_ptr_eq(at.branch, path);
    must(timeline, kifu_go_to(timeline, DEEP - 10, KIFU_WHERE_LEFT, false));
    const uint32_t place = kifu_event_count(timeline);
    tally_submit_p_add(timeline, 0, 7, NULL);
    must(timeline, kifu_undo(timeline));
    at = kifu__kept_along(path, KIFU_NONE, timeline->log.keeps_from); // The next lines begin there.
    ck_assert_ptr_nonnull(at.kept);
    ck_assert_uint_eq(at.kept->executed, place);
    kifu__kept_before(&at);
    ck_assert_ptr_null(at.kept);
    ck_assert_uint_ge(at.branch->depth, DEEP - 12);
    kifu_destroy(timeline);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        R07_places_are_found_added_taken_and_moved,
        R07_what_waits_at_many_places_of_a_file_is_found_in_few_steps,
        R07_what_waits_at_many_places_of_changes_is_found_in_few_steps,
        R07_a_game_in_which_something_waits_at_many_places,
        R01_without_variations_there_is_one_branch,
        R01_an_event_of_a_deep_tree_is_found_in_few_steps,
        R07_what_waits_in_a_deep_tree_is_found_in_few_steps,
    };
    return run_suite("kept_places", tests, sizeof tests / sizeof *tests);
}
