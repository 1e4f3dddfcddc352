import { bucket } from './bucket-checks'
import { CERTIFICATE_CHECKS } from './certificate-checks'
import type { Check } from './check'
import { CLUSTER_CHECKS } from './cluster-checks'
import { CONFIGURATION_CHECKS } from './configuration-checks'
import { CONTAINER_CHECKS } from './container-checks'
import { DISK_CHECKS } from './disk-checks'
import { ISOLATION_CHECKS } from './isolation-checks'
import { NETWORK_CHECKS } from './network-checks'
import { PLATFORM_CHECKS } from './platform-checks'
import { STORAGE_CHECKS } from './storage-checks'

/** All checks of `matchyard doctor`, in the order in which their results are printed. */
export const CHECKS: readonly Check[] = [
  ...PLATFORM_CHECKS,
  ...CONFIGURATION_CHECKS,
  ...DISK_CHECKS,
  bucket,
  ...STORAGE_CHECKS,
  ...NETWORK_CHECKS,
  ...CERTIFICATE_CHECKS,
  ...ISOLATION_CHECKS,
  ...CONTAINER_CHECKS,
  ...CLUSTER_CHECKS,
]
