/**
 * Whether a process lives and can work: its loops say when they last turned and last got something
 * done, its parts say when they cannot go on, and what it depends on is judged by what it last got
 * from it. Nothing here asks anybody over the network: a question about health is answered at once,
 * even where everything hangs.
 */
@NullMarked
package dev.tollgate.schema.health;

import org.jspecify.annotations.NullMarked;
