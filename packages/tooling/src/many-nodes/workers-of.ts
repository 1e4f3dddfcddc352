import { readFileSync } from 'node:fs'

/** Returns the process ids of the running workers of `matchyard serve --workers n`, by the worker's number. */
export function workersOf(primary: number): Map<number, number> {
  const children = read(`/proc/${primary}/task/${primary}/children`).split(' ').filter(Boolean).map(Number)
  return new Map(
    children.flatMap((pid): [number, number][] => {
      const number = /(?:^|\0)MATCHYARD_WORKER_NUMBER=(\d+)/.exec(read(`/proc/${pid}/environ`))?.[1]
      return number === undefined ? [] : [[Number(number), pid]]
    }),
  )
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
