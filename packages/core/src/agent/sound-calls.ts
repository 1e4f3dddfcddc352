import { z } from 'zod'
import { executablePathFault } from '../build/executable-path'
import { MAX_INSTANCE_ID } from './link-limits'
import type { AgentCall } from './protocol'

/**
 * Check of the calls that an agent hears. Names in a call become paths on the machine, so a broken or hostile service must not name
 * a file outside the folders of the agent. Other fields are those of the Orchestrator port, also of a newer service.
 */
const id = z.string().min(1).max(MAX_INSTANCE_ID)
const buildId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)
const build = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('zip'),
    buildId,
    executablePath: z.string().refine((path) => path === '' || executablePathFault(path) === undefined),
  }),
  z.looseObject({ type: z.literal('docker_image'), buildId, image: z.string() }),
])
const items = z.array(z.looseObject({}))

const SHAPES: { readonly [Name in AgentCall['call']]: z.ZodType } = {
  observe: z.looseObject({ of: id.optional(), among: z.array(id).optional() }),
  launch: z.looseObject({ spec: z.looseObject({ instanceId: id, attempt: z.int().min(0), build }) }),
  stop: z.looseObject({ instanceId: id, graceMs: z.number().min(0) }),
  forget: z.looseObject({ instanceId: id }),
  prune: z.looseObject({}),
  admit: z.looseObject({ wish: z.looseObject({ instanceId: id }), held: items }),
  proposePorts: z.looseObject({ requests: items }),
  keepWarm: z.looseObject({ pools: z.array(z.looseObject({ build, portRequests: items })) }),
  logs: z.looseObject({ instanceId: id, limit: z.int().min(0) }),
  prepareImage: z.looseObject({ image: z.string() }),
}

/** Whether a call that this release knows has the form of such a call. */
export const isSoundCall = (call: AgentCall): boolean => SHAPES[call.call].safeParse(call).success
