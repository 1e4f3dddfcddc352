import type { Exchange } from '../exchange/exchange'

/**
 * Returns the token of `authorization: Bearer …`, with the scheme in upper or lower case (RFC 9110 §11.1); undefined if
 * there is none.
 */
export function bearerOf(exchange: Exchange): string | undefined {
  const header = exchange.header('authorization')
  return header === undefined ? undefined : /^bearer +(\S+)$/i.exec(header.trim())?.[1]
}

/**
 * Returns the credential that decides about a call, as sent. If there are both an API key and a bearer token, the key
 * decides.
 */
export const credentialOf = (exchange: Exchange): string | undefined => exchange.header('api-key') ?? bearerOf(exchange)
