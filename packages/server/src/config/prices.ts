import { readFileSync } from 'node:fs'
import { type PriceTable, TIERS } from '@matchyard/core'
import { z } from 'zod'
import { Fault } from './setting'

const priceTableSchema = z.strictObject(Object.fromEntries(TIERS.map((tier) => [tier, z.int().min(0)])))

/**
 * Reads the price table from a JSON file, which has a price for every tier, in whole micro-USD per hour
 * (docs/http-api.md §3).
 */
export function readPrices(path: string): PriceTable | Fault {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${(error as NodeJS.ErrnoException).code})`
    return new Fault(`${path} ${why}; give a JSON file of whole micro-USD per hour by tier`)
  }
  const parsed = priceTableSchema.safeParse(json)
  if (parsed.success) return parsed.data as PriceTable
  const issue = parsed.error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`
  return new Fault(`${path}${where}: ${issue?.message ?? 'not a price table'}; it names all ${TIERS.length} tiers`)
}
