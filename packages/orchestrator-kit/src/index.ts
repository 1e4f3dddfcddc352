export { readBootId } from './boot-id'
export { executableFault, findOnPath, HEAD_BYTES, type Surroundings } from './executable-check'
export { checkedInstanceId, dropAbsent, isInstanceId, KEPT_ATTEMPTS, pruneEnded } from './instances'
export { addressInUse, final, OK, portInUse, retry } from './launch-results'
export { DEFAULT_PORT_RANGE, isFree, PortFinder, type PortRange, takenPort } from './ports'
export { type Answer, isReady, knock, type Started } from './readiness'
export { CONFIG_FILE, CONFIG_PATH, SERVICE_ROOT } from './server-files'
export {
  makePrivate,
  modifiedAt,
  namesIn,
  putInPlace,
  readHead,
  readSmall,
  SMALL_FILE_BYTES,
  syncFolderOf,
  writeSynced,
} from './small-files'
export { hasCode, isMachineTrouble, isMissing } from './system-errors'
export { KEPT_UNUSED, PRUNED_AFTER, UnpackedBuilds } from './unpacked-builds'
