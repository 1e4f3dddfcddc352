import { validationFailed } from '../../errors/service-error'
import { filterFault, type SettingsFilter } from '../../lobby/labels'

/** Throws VALIDATION_FAILED when the filter cannot be used to search lobbies. */
export function checkFilter(path: string, filter: SettingsFilter | undefined): void {
  const fault = filter === undefined ? undefined : filterFault({ ...filter })
  if (fault !== undefined) throw validationFailed([{ path, message: fault }])
}
