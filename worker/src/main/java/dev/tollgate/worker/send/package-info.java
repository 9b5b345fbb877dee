/**
 * Claiming and sending: from a prepared operation with a slot to a recorded outcome.
 *
 * <p>A {@link dev.tollgate.worker.send.Lane} is one provider with its slots. A slot is held from
 * before the claim until the provider has answered; where many outcomes wait to be stored, until
 * this one is, so that what is in memory stays bounded. Each claim is sent on a virtual thread of
 * its own, once; what the adapter reports becomes one change ({@link
 * dev.tollgate.worker.send.SendOutcomes}, a pure decision) that the writer stores.
 *
 * <p>How many slots there are is for the lane's {@link dev.tollgate.worker.send.Protection} to say:
 * none while the provider asked for a pause or its answers are bad, few when it is tried again.
 * What comes for it meanwhile is stored as prepared.
 *
 * <p>Time is measured from before the claim was asked for, monotonically: a claim whose answer came
 * late has less time left, and one whose time is over is given back unsent. Where the answer to a
 * claim was lost, the claim is re-read before a byte is sent, and given back if its time is over.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.worker.send;
