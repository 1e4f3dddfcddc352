import type { Environment } from '../config/environment'

export const WORKERS_OPTION = {
  type: 'string',
  description: 'Processes that take calls on one port, on PostgreSQL (default 1, or WORKERS)',
} as const

/**
 * Returns the environment with WORKERS set to the value of the `--workers` option, if the option is given. The value is
 * then validated like the variable.
 */
export const withWorkers = (environment: Environment, workers: string | undefined): Environment =>
  workers === undefined ? environment : { ...environment, WORKERS: workers }
