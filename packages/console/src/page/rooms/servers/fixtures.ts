import type { Fixtures } from '../../gallery/fixtures'
import { LOG, SERVERS } from '../../gallery/samples'

const FAILED = SERVERS.find(({ status }) => status === 'failed')

export const serversFixtures: Fixtures = {
  views: [
    { name: 'servers', path: '/servers' },
    { name: 'failures', path: '/servers?show=failures' },
    { name: 'servers-search', path: '/servers?show=past' },
    { name: 'server', path: `/servers/${SERVERS[0]?.instance_id}` },
    { name: 'server-that-failed', path: `/servers/${FAILED?.instance_id}` },
  ],
  answers: {
    'GET /v1/servers': SERVERS,
    'GET /v1/servers/*': ({ path }: { readonly path: string }) =>
      SERVERS.find(({ instance_id }) => path.endsWith(instance_id)) ?? SERVERS[0],
    'GET /v1/servers/*/logs': LOG,
  },
}
