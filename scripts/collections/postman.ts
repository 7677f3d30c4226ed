import { type CollectedRequest, type Folder, recordVariables } from './requests.ts'

/** Obtains a token once per lifetime, and signs token requests. */
const beforeRequest = `
const stamp = String(Math.floor(Date.now() / 1000))
const appId = pm.variables.get('app_id')
const signature = CryptoJS.SHA256(appId + stamp + pm.variables.get('secret')).toString()
pm.variables.set('time_stamp', stamp)
pm.variables.set('signature', signature)
const ends = Number(pm.collectionVariables.get('token_ends') || 0)
if (Date.now() > ends - 60000) {
  pm.sendRequest({
    url: pm.variables.get('base_url') + '/api/v5/authentication/token',
    method: 'POST',
    header: { 'Content-Type': 'application/json' },
    body: { mode: 'raw', raw: JSON.stringify({ app_id: appId, time_stamp: stamp, signature }) },
  }, (error, response) => {
    if (error) throw error
    const { code, msg, data } = response.json()
    if (code !== 0) throw new Error(msg)
    pm.collectionVariables.set('token', data.token)
    pm.collectionVariables.set('token_ends', Date.parse(data.expire_time))
  })
}`

/** Good requests must succeed; bad ones end with the code that they lead to. */
const afterResponse = `
const { code, msg } = pm.response.json()
const wanted = Number((/: (\\d{5})$/.exec(pm.info.requestName) || [0, 0])[1])
pm.test('code ' + wanted, () => pm.expect(code, msg).to.equal(wanted))`

/** Keeps an id of the answer for later requests. */
function keeping(name: string): string {
  return `
const { data: kept } = pm.response.json()
pm.collectionVariables.set('${name}', kept?.${name} ?? kept?.list?.[0]?.${name} ?? '')`
}

/** The collection in Postman's format 2.1. */
export function postmanCollection(folders: Folder[]) {
  const variables = {
    base_url: 'http://localhost:8080',
    corp_id: 'lakeside',
    app_id: 'lakeside-sample',
    secret: '',
    token: '',
    token_ends: '',
  }
  const records = Object.fromEntries(recordVariables(folders).map((name) => [name, '']))
  return {
    info: {
      name: 'Matricula',
      description:
        'Set the variables base_url, corp_id, app_id and secret. A script obtains the token. Requests whose name ends with a code show a failure.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [scriptOf('prerequest', beforeRequest), scriptOf('test', afterResponse)],
    variable: Object.entries({ ...variables, ...records }).map(([key, value]) => ({ key, value })),
    item: folders.map(({ name, requests }) => ({ name, item: requests.map(itemOf) })),
  }
}

function scriptOf(listen: string, code: string) {
  return { listen, script: { type: 'text/javascript', exec: code.trim().split('\n') } }
}

function itemOf(request: CollectedRequest) {
  const { name, method, path, query, body, isPublic, withoutToken, description, keeps, response } = request
  const parameters = query.map(([key, value]) => `${key}=${value}`).join('&')
  return {
    name,
    ...(keeps.length > 0 && { event: keeps.map((each) => scriptOf('test', keeping(each))) }),
    request: {
      method,
      ...((isPublic || withoutToken) && { auth: { type: 'noauth' } }),
      header: method === 'POST' ? [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }] : [],
      ...(body && { body: { mode: 'raw', raw: JSON.stringify(body) } }),
      url: `{{base_url}}${path}${parameters && `?${parameters}`}`,
      ...(description && { description }),
    },
    response: [
      {
        name: response.status === 200 ? 'Success' : 'Failure',
        code: response.status,
        status: response.status === 200 ? 'OK' : response.status === 401 ? 'Unauthorized' : 'Bad Request',
        header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
        body: JSON.stringify(response.body),
      },
    ],
  }
}
