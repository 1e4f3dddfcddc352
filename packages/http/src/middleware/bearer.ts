import type { Exchange } from '../exchange/exchange'

/**
 * Returns the token of `authorization: Bearer …`, with the scheme in any case (RFC 9110 §11.1); undefined without one.
 */
export function bearerOf(exchange: Exchange): string | undefined {
  const header = exchange.header('authorization')
  return header === undefined ? undefined : /^bearer +(\S+)$/i.exec(header.trim())?.[1]
}

/**
 * Returns the credential by which a call is judged, as sent. With both an API key and a bearer token, the key decides.
 */
export const credentialOf = (exchange: Exchange): string | undefined => exchange.header('api-key') ?? bearerOf(exchange)
