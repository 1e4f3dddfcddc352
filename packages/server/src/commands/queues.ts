import { isMatchyardError } from '@matchyard/client'
import { defineCommand } from 'citty'
import { readQueueFile, refusedIn } from '../operator/queue-file'
import { runningService } from '../operator/running-service'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'

type Service = ReturnType<typeof runningService>

const put = defineCommand({
  meta: {
    name: 'put',
    description: 'Create or update the queue of a JSON file. Settings that the file leaves out are kept.',
  },
  args: {
    file: {
      type: 'positional',
      description: 'The body of POST /v1/queues: queue_id, name, matchmaking, server_settings …',
      required: true,
    },
  },
  run: ({ args: { file } }) =>
    tellFailure(async () => {
      const service = runningService(process.env)
      const queue = readQueueFile(file)
      try {
        const { queue_id: id, ...settings } = queue
        if (await isThere(service, id)) {
          const before = await versionOf(service, id)
          const { warnings = [] } = await service.queues.update(id, settings)
          await tell([...changesSince(id, before, await versionOf(service, id)), ...warned(warnings)])
        } else {
          const { warnings = [] } = await service.queues.create(queue)
          await tell([`${id} is made`, ...warned(warnings)])
        }
      } catch (error) {
        throw refusedIn(file, error)
      }
    }),
})

const tell = (lines: readonly string[]) => print(`${lines.join('\n')}\n`)
const warned = (warnings: readonly string[]) => warnings.map((warning) => `warning: ${warning}`)

async function isThere({ queues }: Service, queueId: string): Promise<boolean> {
  try {
    await queues.get(queueId)
    return true
  } catch (error) {
    if (isMatchyardError(error, 'QUEUE_NOT_FOUND')) return false
    throw error
  }
}

type Version = Awaited<ReturnType<typeof versionOf>>

/** Returns the newest entry of the queue's history; undefined when the history is empty. */
async function versionOf({ queues }: Service, queueId: string) {
  for await (const entry of queues.history(queueId)) return entry
  return undefined
}

function changesSince(queueId: string, before: Version, after: Version): readonly string[] {
  if (after === undefined || after.version === before?.version) return [`${queueId} already matches the file`]
  const changes = after.changes.map(
    ({ path, before: from, after: to }) => `  ${path}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  )
  return [`${queueId} is changed, version ${after.version}`, ...changes]
}

/**
 * Command by which a studio manages queues. The queues can then be stored as files in the game's repository. The
 * command uses the HTTP API of a running service.
 */
export const queues = defineCommand({
  meta: {
    name: 'queues',
    description: 'Create and change queues of a running service (MATCHYARD_URL, MATCHYARD_SERVER_KEY).',
  },
  subCommands: { put },
})
