import type { AgentFacts } from '@matchyard/core'
import { expect, test } from 'vitest'
import { factsOf, headerOf } from '../src/agents/agent-header'

const FACTS: AgentFacts = {
  agentId: 'agent_1',
  release: '0.1.0',
  regions: ['fra'],
  host: 'fra-1.example.com',
  limits: {},
  capabilities: { buildTypes: ['zip'], limitations: [], keepsWarm: true },
  beacons: [],
}

/** Returns the detail with which properties of an agent are refused. */
function detailOf(wrong: Partial<AgentFacts>): string {
  try {
    factsOf(headerOf({ ...FACTS, ...wrong }))
  } catch (error) {
    return (error as { readonly detail: string }).detail
  }
  return 'accepted'
}

test.each([
  [{ host: 'javascript:alert(1)' }, 'host: must be a name or an address, without scheme and port'],
  [{ host: 'fra-1\u001b[31m' }, 'host: must be a name or an address, without scheme and port'],
  [{ host: 'fra-1.example.com:80' }, 'host: must be a name or an address, without scheme and port'],
  [{ release: '1\u001b]0;x\u0007' }, 'version: must not contain invisible characters'],
  [{ regions: ['fra', 'fra'] }, 'regions: must name each region once'],
  [{ beacons: [{ host: 'fra-1', url: 'javascript:alert(1)' }] }, 'beacons.0.url: must be an https URL'],
  [
    { beacons: [{ host: 'a b', udpPort: 7777 }] },
    'beacons.0.host: must be a name or an address, without scheme and port',
  ],
  [{ beacons: [{ host: 'fra-1' }] }, 'beacons.0: must have a udp_port or a url'],
] as [Partial<AgentFacts>, string][])('an agent may not tell %j', (wrong, detail) => {
  expect(detailOf(wrong)).toBe(detail)
})

test.each(['203.0.113.7', '2001:db8::7', 'FRA-1.example.com.', 'localhost'])('an agent may be at %s', (host) => {
  const facts: AgentFacts = { ...FACTS, host, beacons: [{ host, url: 'https://fra-1.example.com/ping' }] }
  expect(factsOf(headerOf(facts))).toEqual(facts)
})
