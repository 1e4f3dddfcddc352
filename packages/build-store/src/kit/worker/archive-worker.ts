import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { errorCode } from '../disk-errors'
import { inspect } from '../inspect'
import { ArchiveRefused } from '../refusal'
import { unpack } from '../unpack'
import type { ArchiveMessage, ArchiveTask, ArchiveThreadData } from './messages'

/** Program of the worker thread, which processes one archive at a time. It is a separate file in the built package. */
const tell = (message: ArchiveMessage) => parentPort?.postMessage(message)
const log: BuildLog = (...line) => tell({ kind: 'log', line })

async function carryOut(task: ArchiveTask): Promise<ArchiveVerdict | undefined> {
  const { file, executablePath, limits } = task
  if (task.kind === 'inspect') return inspect(file, executablePath, limits, log)
  await unpack(file, executablePath, task.directory, limits)
  return undefined
}

/**
 * Lowers the priority of this thread alone. On Linux a priority belongs to a thread. On other systems it belongs to the
 * process, so it is not changed there. The priority stays low, because raising it would need a permission.
 */
const { priority } = workerData as ArchiveThreadData
if (process.platform === 'linux' && getPriority() < priority) setPriority(priority)

parentPort?.on('message', async (task: ArchiveTask) => {
  try {
    tell({ kind: 'done', verdict: await carryOut(task) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    tell({ kind: 'failed', failure: { message, code: errorCode(error), refused: error instanceof ArchiveRefused } })
  }
})
