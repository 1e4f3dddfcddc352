import { JOBS_TOLD_WITHIN_MS } from '../ports/storage/index'
import { MINUTE_MS, SECOND_MS } from '../shared/time'

/**
 * Milliseconds between two checks without a signal. The checks are needed because signals may be lost, and because jobs that are due later
 * have no signals.
 */
export const POLL_MS = JOBS_TOLD_WITHIN_MS / 2
/**
 * Milliseconds for which signals about servers are collected before one check. Changes made on this node also create jobs, so they do not
 * wait for the check.
 */
export const SERVER_SIGNAL_MS = 200
/** Milliseconds between two checks of the waiting line (the servers that wait for capacity), when no hint of free capacity arrives. */
export const LINE_MS = 5 * SECOND_MS
/** Milliseconds between two reads of the machines' reports. Every node knows a change of the served regions within a second. */
export const MACHINES_MS = SECOND_MS / 2
/** Milliseconds for which changes of servers are collected before one check of the waiting line. Such changes may free capacity. */
export const ROOM_SIGNAL_MS = 50
/**
 * Milliseconds between two removals of files of deleted builds. One node removes the archive. Within this time, the other nodes remove the
 * files that they unpacked.
 */
export const PRUNE_BUILDS_MS = 10 * MINUTE_MS
