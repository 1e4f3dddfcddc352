import type { Build } from '../build/build'
import type { BuildEvent } from '../build/events'
import type { Aggregate } from './aggregate'
import { writeBuild } from './rows/build'

/** Functions that read and change a build by its id. A change writes the build's row, its counters and its follow-up jobs. */
export const ofBuild: Aggregate<Build, BuildEvent, string, undefined> = {
  turn: (buildId) => buildId,
  read: (ctx, buildId) => ctx.storage.get('build', buildId),
  write: writeBuild,
}
