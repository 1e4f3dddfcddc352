/** The folder of the build inside a container. */
export const SERVICE_ROOT = '/svc'
/** The name of the configuration file of a launch, in the folder of the build. */
export const CONFIG_FILE = 'its_svc.json'
export const CONFIG_PATH = `${SERVICE_ROOT}/${CONFIG_FILE}`
