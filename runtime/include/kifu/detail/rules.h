/// What `kifuc` generates for the runtime: the description of a game's events, and functions that call the game's own.
/// All of it is constant data. And what a generated submit calls.
#ifndef KIFU_DETAIL_RULES_H
#define KIFU_DETAIL_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "../event.h"
#include "../result.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version of this contract. Generated code compiles only against its own version.
#define KIFU_GENERATED_VERSION 8

struct kifu_moves;
struct kifu_view;

/// The values that an enum (or a bool: 0 and 1) may have.
typedef struct kifu__enum {
    const char *name;
    uint8_t size; ///< Of one value in bytes: 1, 2, 4, 8.
    bool is_signed;
    bool bit_flags;        ///< Any combination of the bits of `mask` is valid.
    int64_t low, high;     ///< Smallest and largest value; unused with `bit_flags`.
    uint64_t mask;         ///< All the bits, with `bit_flags`.
    const int64_t *values; ///< Ascending; NULL if every number from low to high is a value, and with `bit_flags`.
    uint32_t value_count;
    const char *const *labels; ///< Names of the values, ascending (of the bits, the lowest first); NULL: a bool's.
    uint32_t label_count;
} kifu__enum;

/// An enum or bool, or a row of them, inside inline bytes.
typedef struct kifu__check {
    const char *field; ///< Path in the schema, "position.kind".
    const kifu__enum *values;
    uint32_t offset; ///< Of the first, in the table or struct.
    uint32_t count;
    uint32_t stride;
} kifu__check;

/// What a scalar is.
typedef enum kifu__scalar {
    KIFU__BOOL,
    KIFU__I8,
    KIFU__U8,
    KIFU__I16,
    KIFU__U16,
    KIFU__I32,
    KIFU__U32,
    KIFU__I64,
    KIFU__U64,
    KIFU__F32,
    KIFU__F64
} kifu__scalar;

/// One field of a FlatBuffers struct.
typedef struct kifu__member {
    const char *name; ///< In the schema.
    uint32_t offset;
    uint32_t size;                        ///< Of one element.
    uint32_t count;                       ///< Elements of a fixed array; 0: the field is no array.
    uint8_t scalar;                       ///< A kifu__scalar, for an enum its integer type; unused for a struct.
    bool pool;                            ///< The array is a pool.
    const kifu__enum *values;             ///< Of an enum; else NULL.
    const struct kifu__struct *structure; ///< Of a struct; else NULL.
} kifu__member;

/// A FlatBuffers struct.
typedef struct kifu__struct {
    const char *name;
    uint32_t size;
    uint32_t align;
    const kifu__check *checks; ///< Of a struct in an event: the enums and bools in it.
    uint32_t check_count;
    const kifu__member *members;
    uint32_t member_count;
} kifu__struct;

// The library's own, of which every game has some (core/layout.c).
extern const kifu__enum kifu_phase__enum;      ///< kifu.Phase
extern const kifu__struct kifu_rng__struct;    ///< kifu.Rng
extern const kifu__struct kifu_player__struct; ///< kifu.Player
extern const kifu__struct kifu_game__struct;   ///< kifu.Game
extern const kifu__struct kifu_slot__struct;   ///< kifu.Slot
extern const kifu__struct kifu_turns__struct;  ///< kifu.Turns
extern const kifu__struct kifu_actor__struct;  ///< kifu.Actor
extern const kifu__struct kifu_timer__struct;  ///< kifu.Timer

typedef enum kifu__kind {
    KIFU__SCALAR, ///< Enums and bools, too.
    KIFU__STRUCT, ///< If absent, it reads as zeros.
    KIFU__STRING,
    KIFU__VECTOR, ///< Of scalars, enums or structs.
    KIFU__STRING_VECTOR,
    KIFU__TABLE,
    KIFU__TABLE_VECTOR
} kifu__kind;

struct kifu__failure;

/// Who sees a field of an event.
typedef enum kifu__secrecy {
    KIFU__OPEN,
    KIFU__CONCEALED, ///< Those whom `kifu__hiding.seen_by` names.
    KIFU__SECRET     ///< No viewer ever.
} kifu__secrecy;

/// One field of a table, at its FlatBuffers id.
typedef struct kifu__field {
    const char *name;
    uint8_t kind;    ///< A kifu__kind.
    uint8_t align;   ///< Of the inline value; of one element in a KIFU__VECTOR.
    uint16_t size;   ///< Of the inline value; of one element in a KIFU__VECTOR.
    uint16_t offset; ///< In the generated struct; 0: not stored (deprecated or transient).
    uint16_t has;    ///< Offset of the `has_…` byte of an optional scalar; 0: none.
    bool required;   ///< Strings, vectors, structs and tables only.
    uint8_t scalar;  ///< A kifu__scalar: of the field (for an enum its integer type) or the elements.
    uint8_t secrecy; ///< A kifu__secrecy.
    union {
        uint64_t default_bits; ///< The default of a scalar, its bytes in little-endian order.
        /// Of strings: whether those in the event at `bytes` are text. Only games that have strings link it. NULL: any.
        bool (*texts)(const struct kifu__field *field, const unsigned char *bytes, struct kifu__failure *failure);
    };
    const kifu__enum *values;        ///< Of an enum or bool, or of the elements; else NULL.
    const kifu__struct *structure;   ///< Of a struct, or of the elements; else NULL.
    const struct kifu__table *table; ///< Of a nested table, or of the elements; else NULL.
} kifu__field;

/// For `kifu__field.texts`.
bool kifu__texts_hold(const kifu__field *field, const unsigned char *bytes, struct kifu__failure *failure);

/// A table: an event, or one nested in an event.
typedef struct kifu__table {
    const char *name; ///< "nim.PTake".
    uint16_t size;    ///< Of the generated struct, which is the table's inline part: vtable offset first.
    uint8_t align;    ///< Of the table with everything that it can refer to: 4 or 8.
    bool flat;        ///< No references and no optional scalars: every instance has the vtable below.
    uint16_t field_count;
    uint16_t check_count;
    const kifu__field *fields; ///< By id.
    const kifu__check *checks; ///< Enums and bools inline, those in structs included.
    const uint16_t *vtable;    ///< With every stored field present. In `kifu_rules.vtables`.
} kifu__table;

/// One member of the game's `union Event`.
typedef struct kifu__type {
    const kifu__table *table;
    uint16_t transient_size; ///< Of the struct of its transient fields; 0: none.
    uint8_t flags;           ///< Default: of KIFU_UNDOABLE, KIFU_CONTINUE_UNDO, KIFU_REVEALS, KIFU_UNLESS_RANDOM.
    bool never_undoable;     ///< `kifu_override` may not make it undoable.
    bool is_player;
    bool has_check;
    uint8_t scope_count;
    uint8_t superseded_by; ///< Id of the type that an event of this one becomes when a save is loaded; 0: none.
    const uint8_t *scopes; ///< Of a hookable event, in order: indices into `kifu_rules.scopes`.
    uint64_t tags;         ///< `<GAME>_TAG_…`: a bit for each tag of the event.
    uint8_t id;            ///< And of its table what is needed to write it where it will lie in the log:
    uint8_t align;         ///< its alignment,
    uint16_t size;         ///< its size,
    uint32_t vtable_at;    ///< and where its vtable lies, in bytes from the first one.
} kifu__type;

/// An array on the way to a hidden field of the state.
typedef struct kifu__dimension {
    uint32_t count;
    uint32_t stride; ///< In bytes.
} kifu__dimension;

/// A `(hidden)` or `(secret)` field of the state: its values, one for each element of the arrays on the way to it.
typedef struct kifu__hidden_field {
    const char *field;                 ///< Path in the schema, "cards.kind".
    uint32_t offset;                   ///< Of the first value, in the state.
    uint32_t size;                     ///< Of one value in bytes.
    const kifu__dimension *dimensions; ///< From outside; the last is the field's own array, if it is one.
    uint32_t dimension_count;
    uint32_t first; ///< Number of the first value: the bits of `visible` are in this order. Of a secret field unused.
    bool secret;
} kifu__hidden_field;

/// Who sees the hidden fields of an event.
typedef struct kifu__seen_by {
    uint8_t kind;    ///< 0: no one; 1: the player who submitted it; 2: the player whose number is in a field,
    uint8_t scalar;  ///< which is a kifu__scalar
    uint16_t offset; ///< at this place in the event's struct.
} kifu__seen_by;

/// What a game hides. (What every game has to hide, its random numbers and its seed, the library knows.)
typedef struct kifu__hiding {
    /// Clears, in `seen`, which is a copy of `state`, what `viewer` does not see of the game's own fields.
    void (*mask)(const void *state, int viewer, void *seen);
    /// Sets the bit of each hidden value that `viewer` sees. `bits` is zeroed, and has room for `value_count` of them.
    void (*visible)(const void *state, int viewer, uint64_t *bits);
    const kifu__hidden_field *fields;
    uint32_t field_count;
    uint32_t value_count;         ///< Of all fields that are hidden and not secret.
    const kifu__seen_by *seen_by; ///< By type.
} kifu__hiding;

/// A run of events in one segment.
typedef struct kifu__run {
    const uint8_t *types;
    const uint32_t *offsets; ///< FlatBuffers offsets: each from its own place.
    uint32_t count;
    uint32_t first; ///< Number of the first event in the log.
} kifu__run;

/// Where the turn loop and the timers are in a state.
typedef struct kifu__turn_rules {
    const struct kifu__pool *actors;          ///< NULL: there is no turn loop.
    uint32_t actor_offset;                    ///< Of the kifu_actor in an element.
    uint32_t turns_offset;                    ///< Of the kifu_turns in the state.
    uint8_t begin_turn;                       ///< Id of kifu.EBeginTurn,
    uint8_t spend_energy;                     ///< and of kifu.ESpendEnergy.
    const struct kifu__pool *timers;          ///< NULL: there are no timed events.
    uint8_t schedule;                         ///< Id of kifu.ESchedule.
    const struct kifu__timed *timed;          ///< &kifu__timed.
    const struct kifu__action_frames *frames; ///< &kifu__action_frames, where there are actors.
} kifu__turn_rules;

// Code that only the rules of some games name, so that other games do not link it.
extern const struct kifu__timed kifu__timed;                 ///< Actions and timed events.
extern const struct kifu__upcasting kifu__upcasting;         ///< Upcasts of superseded types.
extern const struct kifu__action_frames kifu__action_frames; ///< Actions, in saves.

/// A game: its events, its state, its Do functions. Generated as `const kifu_rules <game>_rules`.
struct kifu_rules {
    const char *name;          ///< The game's namespace, "nim".
    const char *union_name;    ///< "nim.Event".
    uint32_t rules_version;    ///< `rules_version` of the game's union; 1 if it has none.
    uint32_t state_size;       ///< Of the state struct.
    const kifu__struct *state; ///< The state, field by field.
    uint64_t fingerprint;      ///< Of the schema's meaning: equal for equal schemas, comments aside.
    const uint8_t *bfbs;       ///< The schema in binary; its root type is the segment (schema/FORMAT.md).
    uint32_t bfbs_size;        ///< In bytes.
    uint32_t type_count;       ///< Ids are 1 to type_count.
    const kifu__type *types;   ///< By id; types[0] is empty.
    const uint16_t *vtables;   ///< The vtables of all tables, as every segment contains them. A multiple of 8 bytes.
    uint32_t vtables_size;     ///< In bytes.

    const char *const *scopes;     ///< Names of the scopes of hooks.
    uint32_t scope_count;          ///< How many.
    uint8_t max_players;           ///< How many may join; 0: 16.
    uint8_t tag_count;             ///< How many tags the events have,
    const char *const *tags;       ///< and their names: the lowest bit first.
    const kifu__turn_rules *turns; ///< NULL: neither turn loop nor timers.

    /// Calls the function that names the subjects of a hookable event. `subjects` has one element for each scope of the
    /// type, in that order; each is KIFU_NO_SUBJECT before the call. NULL: no event is hookable.
    void (*subjects)(const kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                     uint64_t *subjects);
    /// Calls the event's check.
    kifu_verdict (*check)(kifu_timeline *timeline, uint32_t type, const void *state, void *event);
    /// Calls the event's Do. `transient`: zeroed room for its transient fields.
    kifu_result (*do_event)(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                            void *transient);
    /// In a replay without a journal, calls the Do of each event of a run, until one fails, or begins a journal by
    /// opening a transaction: sets `kifu__core.unkept` first, and `kifu__core.event` before each. `*done` counts the
    /// events that did not fail. `transient`: room for the transient fields of any event.
    kifu_result (*replay)(kifu_timeline *timeline, const kifu__run *run, const void *state, void *transient,
                          uint32_t *done);
    /// Calls the view's function for the event, if there is one. Returns the delay that it asks for, in seconds.
    double (*act)(const struct kifu_view *view, kifu_timeline *timeline, uint32_t type, const void *state,
                  const void *event, const void *transient);
    /// Calls the upcast function of a superseded event, which submits the new event. `timeline` contains only the
    /// player who submitted the old event, and its rules version. NULL: no type is superseded.
    kifu_result (*upcast)(kifu_timeline *timeline, uint32_t type, const void *event);
    const struct kifu__upcasting *upcasting; ///< `kifu__upcasting`; NULL: no type is superseded.
    /// Calls the function that lists moves of each listed type. NULL: no type is listed.
    void (*list)(const kifu_timeline *timeline, const void *state, int player, struct kifu_moves *moves);
    const kifu__hiding *hiding; ///< NULL: the game hides nothing of its own.
    // Of the rules of watchers (watch.h):
    const kifu_rules *game; ///< Those of their game; NULL: these are a game's.
    /// Attaches what each timeline needs: of a watcher, or of a game that hides something. NULL: nothing.
    kifu_result (*attach)(kifu_timeline *timeline);
};

/// For `attach`: live events that show a player a hidden value get KIFU_REVEALS.
kifu_result kifu__attach_revealing(kifu_timeline *timeline);

/// Of a function: the compiler inlines into it what it can.
#if defined(__GNUC__)
#define KIFU__FLATTEN __attribute__((flatten))
#else
#define KIFU__FLATTEN
#endif

/// What never runs: the compiler leaves it out, with the tests that would lead to it.
#if defined(__GNUC__)
#define KIFU__NEVER __builtin_unreachable()
#else
#define KIFU__NEVER (void)0
#endif

/// Queues a proposal that has no references: `table` is its struct, `size` the size of that. If it fails (no memory, or
/// a submit is not allowed here), it returns 0. The call that runs the timeline next then returns the error, and until
/// then nothing more can be submitted from outside. In a Do function, the failure fails that Do. In a replay, the call
/// does nothing and returns 0.
kifu_ticket kifu__submit(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size);

/// The same for a proposal with references: begin with its struct, add what the references refer to, parents before
/// children, and end. A `ref` is the position of a `kifu_ref` member, counted from the proposal's first byte.
void kifu__submit_begin(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size);

/// Adds a string; NULL leaves the field absent.
void kifu__submit_string(kifu_timeline *timeline, uint32_t ref, const char *string);

/// Adds a vector of `count` elements of `size` bytes and returns the position of the first. NULL with count 0 leaves
/// the field absent; NULL with another count is an error.
uint32_t kifu__submit_vector(kifu_timeline *timeline, uint32_t ref, const void *elements, uint32_t count, uint32_t size,
                             uint32_t align);

/// Adds a vector of references and returns the position of the first. Add what each refers to with the calls here.
uint32_t kifu__submit_references(kifu_timeline *timeline, uint32_t ref, uint32_t count);

/// Adds a nested table and returns its position.
uint32_t kifu__submit_table(kifu_timeline *timeline, uint32_t ref, const void *table, uint32_t size, uint32_t align);

/// Queues the proposal.
kifu_ticket kifu__submit_end(kifu_timeline *timeline);

/// Plays an input directly, if it is flat: room for the event where it will lie in the log, for its check to look at.
/// NULL, with nothing changed, if this input has to be submitted and run.
void *kifu__play_open(kifu_timeline *timeline, const kifu__type *type, int player);

/// The same for an event with references. What these refer to is added as to a submit; then `kifu__play_built` says
/// whether it is all there, as its schema says: otherwise, too, the input has to be submitted and run.
void *kifu__play_begin(kifu_timeline *timeline, const kifu__type *type, int player);
bool kifu__play_built(kifu_timeline *timeline, const kifu__type *type, const void *event);

/// Whether the event is as its schema says, which its check relies on, and may spoil. Otherwise `kifu__play_refuse` is
/// next.
bool kifu__play_look(const kifu__type *type, const void *event);

/// Seals the event in its place, if the check accepts it and nothing else stops it. Its Do is next. Otherwise false,
/// and `kifu__play_refuse` is next: it goes on as `kifu_run` would, and returns its result.
bool kifu__play_accept(kifu_timeline *timeline, const kifu__type *type, void *event, kifu_verdict verdict);
kifu_result kifu__play_refuse(kifu_timeline *timeline, const kifu__type *type, const void *event, kifu_verdict verdict);

/// The Do has returned `result`. Runs the consequences, too; the result is that of `kifu_run`.
kifu_result kifu__play_end(kifu_timeline *timeline, kifu_result result);

/// All of this for an event of any type, as `kifu__submit` takes it.
kifu_result kifu__play(kifu_timeline *timeline, uint32_t type, int player, const void *table, uint32_t size);

#ifdef __cplusplus
}
#endif

#endif
