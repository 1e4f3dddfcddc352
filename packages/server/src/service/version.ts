import { version } from '../../package.json'

/** Of this package, as it was published. */
export const VERSION: string = version
