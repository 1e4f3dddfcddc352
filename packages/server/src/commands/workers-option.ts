import type { Environment } from '../config/environment'

export const WORKERS_OPTION = {
  type: 'string',
  description: 'Processes that take calls on one port, on PostgreSQL (default 1, or WORKERS)',
} as const

/**
 * Returns the environment with the value of the `--workers` option. The option takes precedence over WORKERS, and is
 * validated in the same way.
 */
export const withWorkers = (environment: Environment, workers: string | undefined): Environment =>
  workers === undefined ? environment : { ...environment, WORKERS: workers }
