import { isRegion, REGIONS, type Region } from '@matchyard/core'
import { Fault } from './setting'

/** Reads a list of region codes, separated by commas, in the order of preference. */
export function regionList(text: string): readonly Region[] | Fault {
  const codes = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const wrong = codes.find((code) => !isRegion(code))
  if (wrong !== undefined)
    return new Fault(`${JSON.stringify(wrong)} is not a region; give some of ${REGIONS.join(', ')}`)
  return codes.length === 0
    ? new Fault('it names no region; give a list like fra,ams')
    : [...new Set(codes.filter(isRegion))]
}
