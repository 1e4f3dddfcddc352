import type { Server } from '@matchyard/client/admin'
import type { Tone } from '../../ui/statuses'

type EndReason = NonNullable<Server['end_reason']>

/** Tone and label of each cause of a server's end. */
const CAUSES: Readonly<Record<EndReason, readonly [Tone, string]>> = {
  match_ended: ['good', 'Exited'],
  server_stopped: ['still', 'Stopped'],
  server_expired: ['wait', 'Timed out'],
  server_failed: ['bad', 'Crashed'],
  launch_failed: ['bad', 'Did not start'],
  build_missing: ['bad', 'No build'],
  no_room: ['bad', 'No capacity'],
}

/** Causes of a server's end, those of failures first. */
export const END_REASONS: readonly EndReason[] = [
  ...(['server_failed', 'launch_failed', 'build_missing', 'no_room'] as const),
  ...(['server_expired', 'server_stopped', 'match_ended'] as const),
]

/** Returns the tone and the label of a cause. An unknown cause is its own label. */
export const causeOf = (reason: EndReason): readonly [Tone, string] =>
  CAUSES[reason] ?? ['still', (reason as string).replaceAll('_', ' ')]
