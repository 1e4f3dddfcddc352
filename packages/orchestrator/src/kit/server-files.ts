/** Where a game server finds its build. */
export const SERVICE_ROOT = '/svc'
/** Beside the build: what the service tells the game server about its launch. */
export const CONFIG_FILE = 'its_svc.json'
export const CONFIG_PATH = `${SERVICE_ROOT}/${CONFIG_FILE}`
