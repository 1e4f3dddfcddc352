import type { History } from '@matchyard/client/admin'
import { partsOf } from '../data/slots'

/** Whether a part of the series `crashes` is a version of the build with this name. */
export const isOfBuild = (part: string, name: string): boolean => part === name || part.startsWith(`${name}@`)

/** Crashes of one version of a build. */
export interface CrashShare {
  readonly version: string
  readonly crashes: number
  readonly share: number
}

/** Returns the versions of a build with their crashes, and their shares in all crashes of the build. */
export function crashShares({ series }: Pick<History, 'series'>, name: string): readonly CrashShare[] {
  const points = series.find((one) => one.name === 'crashes')?.points ?? []
  const all = partsOf(points).filter(([part]) => isOfBuild(part, name))
  const sum = all.reduce((total, [, crashes]) => total + crashes, 0)
  return all.map(([part, crashes]) => ({
    version: part === name ? 'unknown version' : `v${part.slice(name.length + 1)}`,
    crashes,
    share: sum === 0 ? 0 : crashes / sum,
  }))
}
