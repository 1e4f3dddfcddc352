import { sessionOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { drain as drainBody, machine, machines } from '../wire/machine'
import { ok } from './answers'

const list = endpoint({
  operation: 'machines.list',
  method: 'get',
  path: '/v1/machines',
  summary: 'Lists the machines of the installation, for accounts of operators.',
  success: ok(machines),
  handle: async (call) => ({
    machines: await call.matchyard.machines.list({ accountId: sessionOf(call).accountId }),
  }),
})

const cordon = endpoint({
  operation: 'machines.cordon',
  method: 'post',
  path: '/v1/machines/{machine_id}/cordon',
  summary: 'Gives a machine no new servers; its servers continue.',
  success: ok(machine),
})

const uncordon = endpoint({
  operation: 'machines.uncordon',
  method: 'post',
  path: '/v1/machines/{machine_id}/uncordon',
  summary: 'Gives a machine servers again, and ends its drain.',
  success: ok(machine),
})

const drain = endpoint({
  operation: 'machines.drain',
  method: 'post',
  path: '/v1/machines/{machine_id}/drain',
  summary: 'Empties a machine: its matches end by themselves, or at a deadline.',
  body: drainBody,
  bodyOptional: true,
  success: ok(machine),
})

export const MACHINE_ENDPOINTS: readonly Endpoint[] = [list, cordon, uncordon, drain]
