import { type NodePlatform, nodePlatform, tokens } from '@matchyard/node'
import { FollowedSecret } from './followed-secret'
import type { ServiceOptions } from './service-options'

/** Returns the ports that Node.js implements, and the change of the secret on which their signatures depend. */
export function platformOf({
  secret,
  previousSecret,
  storage,
  logger,
  otherSecret,
}: Pick<ServiceOptions, 'secret' | 'previousSecret' | 'storage' | 'logger' | 'otherSecret'>): {
  readonly platform: NodePlatform
  readonly followed: FollowedSecret
} {
  const changesAt = () => followed.changesAt()
  const platform = nodePlatform({
    secret,
    ...(previousSecret === undefined ? {} : { previousSecret: { secret: previousSecret, changesAt } }),
  })
  const { clock, timers } = platform
  const followed = new FollowedSecret({
    ...{ storage, logger, otherSecret, timers, now: () => clock.now() },
    ...{ tokens: tokens(secret), previous: previousSecret === undefined ? undefined : tokens(previousSecret) },
  })
  return { platform, followed }
}
