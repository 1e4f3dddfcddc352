import type { Build } from '../build/build'
import type { Context } from '../context/context'
import type { RoomAnswer } from '../ports/orchestrator'
import type { GameServer } from '../server/game-server'
import { recordAttempt } from './attempts'
import { admit, isRefused } from './room'

/**
 * Asks for room, and where there is some records the attempt. `first`: the first of its line, which is passed by this. `lost`: what it
 * rests on changed meanwhile, so whoever asked looks again.
 */
export async function makeAttempt(
  ctx: Context,
  server: GameServer,
  build: Build,
  first?: GameServer,
): Promise<'made' | 'lost' | Exclude<RoomAnswer, { ok: true }>> {
  const admission = await admit(ctx, server)
  if (isRefused(admission)) return admission
  try {
    return (await recordAttempt(ctx, server, build, first)) ? 'made' : 'lost'
  } finally {
    admission.settle()
  }
}
