import { AttachedServer } from './attached-server'
import { awaitConfiguration, configurationFile, portFromEnvironment } from './configuration'
import type { GameServer } from './game-server'
import { type LocalServer, localConfiguration, localLink } from './local'
import type { GameShape } from './match'
import { serviceLink } from './service-link'

export interface AttachOptions {
  /** Configuration for a start without Matchyard. It is ignored when Matchyard starts the program. */
  readonly local?: LocalServer
  /**
   * Whether the process exits by itself after `stopping`. Default: true. If false, your program must exit before the
   * deadline.
   */
  readonly exit?: boolean
}

/**
 * Makes this process a game server of Matchyard: reads its configuration, sends heartbeats, and follows the players of
 * its match. A server that was started before it has a match waits here for the match. The service need not be
 * reachable while the server waits. Throws an Error when there is neither a configuration nor `local`.
 */
export async function attach<Game extends GameShape = GameShape>({
  local,
  exit = true,
}: AttachOptions = {}): Promise<GameServer<Game>> {
  const file = configurationFile()
  if (file === undefined && local !== undefined) {
    const configuration = localConfiguration(local)
    const port = (name: string) => local.ports?.[name] ?? missing(name)
    const open = configuration.teams.length === 0
    const link = localLink(configuration)
    return new AttachedServer<Game>({ configuration, link, port, exit, local: { open } })
  }
  const configuration = await awaitConfiguration(file)
  return new AttachedServer<Game>({
    configuration,
    link: serviceLink(configuration),
    port: portFromEnvironment,
    exit,
    local: undefined,
  })
}

function missing(name: string): never {
  throw new Error(`there is no port "${name}": call attach({ local: { ports: { ${name}: 7777 } } })`)
}
