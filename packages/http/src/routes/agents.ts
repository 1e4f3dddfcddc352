import { z } from '@hono/zod-openapi'
import { ServiceError } from '@matchyard/core'
import { AGENT_BATCH } from '@matchyard/core/domain'
import { factsOf } from '../agents/agent-header'
import { archiveAnswer } from '../agents/archive-answer'
import { WantedStream } from '../agents/wanted-stream'
import { agentOf, machineOf } from '../callers'
import { type Call, type Endpoint, endpoint } from '../endpoint'
import { HEARTBEAT_MS } from '../sse/open-streams'
import { streamResponse } from '../sse/stream-response'
import { agentEvent, machineBuild, observedBatch, takenBatch } from '../wire/agent'
import { plain } from '../wire/codec/index'
import { ok } from './answers'

const wanted = endpoint({
  operation: 'machine.wanted',
  method: 'get',
  path: '/v1/machine/wanted',
  summary:
    'Streams to the agent of a machine: session, then each call that the agent carries out; end when the service ends the stream.',
  success: { status: 200, description: 'Server-Sent Events.', answer: agentEvent, mediaType: 'text/event-stream' },
  errors: ['VALIDATION_FAILED', 'CONFLICT'],
  async handle(call) {
    const { machineId, tokenHash } = agentOf(call)
    const facts = factsOf(call.exchange.header('matchyard-agent'))
    const stream = new WantedStream(machineId)
    stream.onEnd(call.services.agents.streams.take(machineId))
    try {
      const { session, cut } = await call.matchyard.agents.connect({
        machineId,
        tokenHash,
        facts,
        send: (wanted) => stream.send(wanted),
        onEnd: (reason) => stream.finish(reason),
      })
      stream.onEnd(cut)
      stream.begin({ session, machineId, heartbeatMs: HEARTBEAT_MS })
    } catch (error) {
      stream.close()
      throw error
    }
    return streamResponse(call, stream)
  },
})

const observed = endpoint({
  operation: 'machine.observed',
  method: 'post',
  path: '/v1/machine/observed',
  summary: 'Takes a numbered batch of an agent: answers to calls, and servers whose state may have changed.',
  body: observedBatch,
  maxBodyBytes: AGENT_BATCH.bytes,
  isRepeatable: true,
  success: ok(takenBatch),
  async handle(call) {
    const [machineId, agents] = [machineOf(call), call.matchyard.agents]
    const taken = agents.hear({ machineId, batch: call.body })
    if (taken !== 'elsewhere') return { taken }
    const url = await agents.holderOf(machineId)
    const told =
      url === undefined ? 'elsewhere' : await call.services.tellHolder?.(url, { machineId, batch: call.body })
    if (told !== undefined && told !== 'elsewhere') return { taken: told }
    throw new ServiceError(
      'UNAVAILABLE',
      'no node that can be reached has the stream of this machine; open the stream again',
    )
  },
})

const build = endpoint({
  operation: 'machine.build',
  method: 'get',
  path: '/v1/machine/builds/{build_id}',
  summary: 'Returns the URL of an archive that a server of the machine needs.',
  success: ok(machineBuild),
  errors: ['BUILD_NOT_FOUND'],
  async handle(call) {
    const { build_id: buildId } = call.params
    await requireNeeded(call, buildId)
    const found = await call.matchyard.builds.locateArchive({ buildId })
    return { ...found, url: found.url ?? `/v1/machine/builds/${encodeURIComponent(buildId)}/archive` }
  },
})

const archive = endpoint({
  operation: 'machine.archive',
  method: 'get',
  path: '/v1/machine/builds/{build_id}/archive',
  summary:
    'Returns the archive of a build that a server of the machine needs, or the part that the range header names.',
  success: { status: 200, description: 'The archive.', answer: plain(z.string()), mediaType: 'application/zip' },
  otherwise: { status: 206, description: 'The part of the archive.' },
  isLongAnswer: true,
  errors: ['BUILD_NOT_FOUND'],
  async handle(call) {
    const { build_id: buildId } = call.params
    await requireNeeded(call, buildId)
    const { sizeBytes } = await call.matchyard.builds.locateArchive({ buildId })
    const done = call.services.agents.archives.take(machineOf(call))
    return archiveAnswer(call, sizeBytes, (part) => call.matchyard.builds.readArchive({ buildId, ...part }), done)
  },
})

/** Throws `BUILD_NOT_FOUND`, and logs it, when no server of the machine needs the build. */
async function requireNeeded(call: Call<unknown, unknown, unknown>, buildId: string): Promise<void> {
  const machineId = machineOf(call)
  if (await call.matchyard.agents.needsBuild({ machineId, buildId })) return
  call.services.logger.warn('an agent asked for a build that its machine does not need', {
    machine_id: machineId,
    build_id: buildId,
  })
  throw new ServiceError('BUILD_NOT_FOUND', 'no server of this machine needs this build')
}

/** Routes for agents, which send the token of their machine. */
export const AGENT_ENDPOINTS: readonly Endpoint[] = [wanted, observed, build, archive]
