import { type AgentFacts, validationFailed } from '@matchyard/core'
import { validate } from '../middleware/validate'
import { agentFactsBody, readFacts, writtenFacts } from '../wire/agent'

/** Header in which an agent tells its properties: base64url of JSON. */
export const AGENT_HEADER = 'matchyard-agent'
/** Maximum characters of the header. */
export const MAX_AGENT_HEADER = 8 * 1024

/** Returns the properties in the header. Throws `VALIDATION_FAILED`. */
export function factsOf(header: string | undefined): AgentFacts {
  if (header === undefined) throw fault('is required')
  if (header.length > MAX_AGENT_HEADER) throw fault(`must be at most ${MAX_AGENT_HEADER} characters long`)
  const sent = parsed(header)
  if (sent === undefined) throw fault('must be base64url of JSON')
  return readFacts(validate(agentFactsBody, sent) as Parameters<typeof readFacts>[0])
}

const fault = (message: string) => validationFailed([{ path: AGENT_HEADER, message }])

function parsed(header: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(header.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * Returns the header for the properties of an agent. Limitations are left out, the last ones first, until the header
 * has its maximum length.
 */
export function headerOf(facts: AgentFacts): string {
  const written = writtenFacts(facts)
  const { limitations } = written.capabilities
  for (;;) {
    const text = base64url(JSON.stringify(written))
    if (text.length <= MAX_AGENT_HEADER || limitations.length === 0) return text
    limitations.pop()
  }
}

function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const units = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(units).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
