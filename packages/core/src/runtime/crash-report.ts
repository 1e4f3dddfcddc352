import type { Service } from '../node/service'
import type { ServerExit } from '../ports/orchestrator'
import { crashLines, MAX_CRASH_LINES, type ServerCrash } from '../server/crash'
import type { GameServer } from '../server/game-server'
import type { ServerLogLine } from '../server/log-line'

/** Returns the report of a crash that this node observed, with the last lines that the server wrote. */
export async function crashReport(ctx: Service, server: GameServer, exit: ServerExit): Promise<ServerCrash> {
  return { at: exit.at, exitCode: exit.code, exitSignal: exit.signal, lines: crashLines(await lastLines(ctx, server)) }
}

/** Returns the last log lines of a server. A log that cannot be read has no lines, so that it does not hold up the record of the crash. */
async function lastLines({ orchestrator, logger }: Service, { id, region }: GameServer): Promise<ServerLogLine[]> {
  try {
    return await orchestrator.logs(id, { limit: MAX_CRASH_LINES, region })
  } catch (error) {
    logger.warn('the last lines of a crashed game server were not read', { instance_id: id, error: String(error) })
    return []
  }
}
