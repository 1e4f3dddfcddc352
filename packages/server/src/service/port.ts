import { ConfigurationError } from './storage-url'

/** Reads a port number; 0 means any free port. Throws ConfigurationError. */
export function portOf(text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise
  const port = Number(text)
  if (/^[0-9]{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigurationError(`port: ${JSON.stringify(text)} is not a port; give a number from 0 to 65535`)
}
