import type { PartNews, Reasons } from './reasons'
import type { Unit } from './unit'

/** Returns the places (positions in the unit) of the unserved tickets that may lead a match now, oldest first. */
export const openAnchors = (unit: Unit, { came, leading }: PartNews, reasons: Reasons, highest: number): number[] => {
  const places = [...unit.byAge]
  if (reasons.untold === 0) return places.filter((place) => reasons.has(unit.slot(place)))
  const near = nearNewcomers(unit, new Set(came), highest)
  const leads = new Set(leading)
  return places.filter((place) => near[place] === 1 || leads.has(unit.slot(place)))
}

/** By place: 1 where a new ticket is within the reach of the loosest level, otherwise 0. */
const nearNewcomers = (unit: Unit, came: ReadonlySet<number>, highest: number): Uint8Array => {
  const reach = unit.columns.levels.ranges[0]?.[highest] ?? Number.POSITIVE_INFINITY
  const near = new Uint8Array(unit.count)
  let newcomer = Number.NEGATIVE_INFINITY
  for (let place = 0; place < unit.count; place++) {
    if (came.has(unit.slot(place))) {
      if (place >= unit.present) return near.fill(1)
      newcomer = unit.value(place)
    }
    if (place >= unit.present || unit.value(place) - newcomer <= reach) near[place] = 1
  }
  newcomer = Number.POSITIVE_INFINITY
  for (let place = unit.present - 1; place >= 0; place--) {
    if (came.has(unit.slot(place))) newcomer = unit.value(place)
    if (newcomer - unit.value(place) <= reach) near[place] = 1
  }
  return near
}
