/// Records: what a commit consists of (schema/FORMAT.md, "Commits and records"). Each is its kind, the length of what
/// follows, and that; all little numbers are those of wire/number.h.
#ifndef KIFU_SRC_RECORDS_H
#define KIFU_SRC_RECORDS_H

#include "save/frame.h"
#include "wire/number.h"

/// The kinds. A reader stands somewhere in the tree, at first where the game begins, and in the end where it goes on.
///
/// Events are a run of rows; or, in a plain save, 0 and a number: they are in so many of the next segments in front of
/// the commit. So are those that wait, but for the number, since one segment has them.
typedef enum kifu__record {
    KIFU__STAND = 1, ///< branch, count: it stands there.
    KIFU__EVENTS,    ///< events: they come behind the place, and what was behind it in this branch is gone.
    KIFU__CUT,       ///< The events behind the place are gone.
    KIFU__HASHES,    ///< (events more than before, hash) ...: hashes of states along the branch.
    KIFU__QUEUE,     ///< inputs gone, consequences gone, events: the first ones do not wait any more, these do.
    KIFU__ACTIONS,   ///< kifu.save.Proposals: the actions that are set.
    KIFU__KEPT,      ///< branch, count, length of actions, actions, events: what waits there, instead of what
                     ///< did.
    KIFU__BRANCH,    ///< number, parent, count: a branch begins.
    KIFU__RETURNED,  ///< number: branches from this number on are gone, and their numbers may be given again.
    KIFU__DELETED,   ///< number: a branch from which no other begins is gone.
    KIFU__LEFT,      ///< number, count: where the game left that branch.
    KIFU__TREE,      ///< main line, number of the next branch.
    KIFU__BEGUN,     ///< number: not all has happened that follows from the input that began the last branch; the game
                     ///< left that one for it.
    KIFU__NOTE,      ///< branch, place, kind, length of key, key, bytes: kind 0 removes it.
    KIFU__HASH,      ///< hash of the state where the game is, and perhaps the state.
    KIFU__POSITION,  ///< stream (8 bytes), number, checksum (4 bytes): of the stream behind this commit, which is that
                     ///< of all that there is.
    KIFU__SHAPES,    ///< Shapes of rows that were named before are not known any more.
    KIFU__TIP,       ///< number, hash, fingerprint, rules version: of the hash of a branch's end, and its other hashes.
    KIFU__END,       ///< The save is whole: nothing follows.
    KIFU__RECORD_KINDS,
    KIFU__SKIPPED_RECORDS = 64 ///< From this kind on, a reader skips a record that it does not know.
} kifu__record;

/// The kinds of notes.
enum { KIFU__NO_NOTE, KIFU__TEXT_NOTE, KIFU__BYTES_NOTE };

/// The records of a commit's payload, which has its link in front of them. Not `good`: it is shorter than that.
static inline kifu__bytes kifu__records_in(const unsigned char *payload, uint32_t size)
{
    const bool good = size >= KIFU__LINK_SIZE;
    return (kifu__bytes){payload + (good ? KIFU__LINK_SIZE : size), payload + size, good};
}

/// The next record: its kind and body. False: there is none.
bool kifu__next_record(kifu__bytes *records, uint32_t *kind, kifu__bytes *body);

/// Whether these are the records with which a log file begins.
static inline bool kifu__begins_log(kifu__bytes records)
{
    uint32_t kind;
    kifu__bytes body;
    return kifu__next_record(&records, &kind, &body) && kind == KIFU__POSITION;
}

/// Whether a commit has a record of this kind. What is behind one that is not whole does not count.
bool kifu__has_record(const kifu__frame *commit, kifu__record wanted);

#endif
