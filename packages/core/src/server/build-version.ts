import type { GameServer } from './game-server'

/** Returns the version of a server's build as the history names it: `name@number`; only the name before a build is chosen. */
export const versionOf = ({ versionTag, buildVersion }: Pick<GameServer, 'versionTag' | 'buildVersion'>): string =>
  buildVersion === null ? versionTag : `${versionTag}@${buildVersion}`
