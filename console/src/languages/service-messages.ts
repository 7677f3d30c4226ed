/**
 * The sentences of the service for people: the template of the source, and its text in Chinese, or in Chinese and English. Holes
 * say how they are shown: {held:money}, {until:date}, {param:label}, {status:word}, {because:text}, {owner_id:person}, and
 * {payment_id:none} for what people cannot read. Loaded with the first refusal. scripts/check-service-words.ts compares it with
 * the source (scripts/message-templates.ts).
 */
export const serviceMessages: Record<string, string | [chinese: string, english: string]> = {
  '1 user is': '有 1 位客户',
  '{users} users are': '有 {users} 位客户',
  'A call with this Idempotency-Key is still under way.': [
    '同一操作仍在处理中，请稍候。',
    'The same action is still in progress. Wait a moment.',
  ],
  'A canceled order cannot be changed.': '已取消的订单不能修改。',
  'A column for the user is missing: user_id, or area_code and mobile, or email.': [
    '缺少用于识别客户的列：客户编号，或区号和手机号，或邮箱。',
    'A column for the person is missing: person id, or calling code and mobile number, or e-mail.',
  ],
  'A counsellor can claim and release for themselves only.': '顾问只能为自己领取或释放客户。',
  'A counsellor sells courses in the currency of their list price. Other orders require the permission finance.':
    '顾问只能按课程标价的币种下单，其他订单由财务处理。',
  'A free order takes the permission finance: {param} {reason}.':
    '免费订单由财务处理：{param:label}{reason:text}。',
  'A parameter is invalid.': ['填写的内容有误。', 'An entry is not valid.'],
  'A person has at most {maxPasskeys} passkeys.': '每人最多 {maxPasskeys} 个通行密钥。',
  'A person was erased while the file was uploaded. Upload it again.':
    '上传期间有客户被删除，请重新上传文件。',
  'A required parameter is missing.': ['有必填内容未填写。', 'A required field is empty.'],
  'A second person has to do this.': '须由另一人处理。',
  'A second person must approve a discount of {discount} {currency}: create the order, then send the discount with order/update.':
    [
      '{discount:money} 的优惠须由另一人审批：请先创建订单，再在订单中申请优惠。',
      'A second person must approve a discount of {discount:money}: create the order, then request the discount there.',
    ],
  'A second person must approve this {kind}: {price} {currency} is beyond the limit.': [
    '此项{kind:word}须由另一人审批：{price:money} 超过限额。',
    'A second person must approve this {kind:word}: {price:money} is beyond the limit.',
  ],
  'A sub-order that received money cannot be removed.': [
    '已有收款的分期不能移除。',
    'An instalment that received money cannot be removed.',
  ],
  'A sum exceeds {MAX_SAFE_INTEGER} minor units. Narrow the filter.': [
    '合计超出系统可处理的范围，请缩小筛选范围。{MAX_SAFE_INTEGER:none}',
    'A sum is larger than the system can show. Narrow the filter.{MAX_SAFE_INTEGER:none}',
  ],
  'A viewer sees contacts masked.': '只读角色只能看到隐藏后的联系方式。',
  'An account needs at least one organization.': '账号至少需要一家机构。',
  'An internal error occurred.': '系统内部出错。',
  'An organization can verify domains {maxChecksPerMinute} times per minute. Try again later.':
    '一家机构每分钟最多验证 {maxChecksPerMinute} 次域名，请稍后再试。',
  'An organization has at most {maxEndpoints} webhook endpoints. Remove one first.':
    '一家机构最多 {maxEndpoints} 个 Webhook 地址，请先移除一个。',
  'Another member of staff started this. Only they, finance or an administrator can continue it.':
    '此操作由他人发起，只能由其本人、财务或管理员继续。',
  'At most {held} can be moved: received less refunded.': '最多可转出 {held:money}（已收减已退）。',
  'At most {held} can be refunded: received less refunded.': '最多可退 {held:money}（已收减已退）。',
  'At most {most} calls and streams of an {of} wait for events at the same time.':
    '同一{of:word}最多同时有 {most} 个请求等待事件。',
  'Authorization must be Bearer followed by a space and the token.':
    '请求头 Authorization 须为 Bearer、空格和令牌。',
  'Counsellors of this organization do not record payments. Ask a colleague with the permission finance.':
    '本机构的顾问不登记收款，请联系财务。',
  'Instalment {seq} must be at least {credited}, which was credited.':
    '第 {seq} 期不得低于已入账的 {credited:money}。',
  'Line {line}: The table has no column for the amount (price, or incoming and outgoing). Headers: {filter}.':
    [
      '第 {line} 行：表格没有金额列（金额，或收入和支出）。表头：{filter}。',
      'Line {line}: the table has no column for the amount (amount, or incoming and outgoing). Headers: {filter}.',
    ],
  'Line {line}: The table has no column for the date (value_date). Headers: {filter}.': [
    '第 {line} 行：表格没有日期列。表头：{filter}。',
    'Line {line}: the table has no column for the date. Headers: {filter}.',
  ],
  'Line {line}: {reason}.': '第 {line} 行：{reason:text}。',
  'More calls are waiting for this organization than can be served: try again in a moment.':
    '本机构等待处理的请求过多，请稍候再试。',
  'No change was given.': '没有任何修改。',
  'No order has {unallocated} of its money.': '其款项中有 {unallocated:amounts} 尚未分配。',
  'Nobody is signed in.': '尚未登录。',
  'Nobody who was erased had this number or address.': '没有已删除的客户使用过该号码或邮箱。',
  'Only the finance office sees the takings of other clerks.': '只有财务可以查看他人的收款。',
  'Only the holder, {owner_id}, can release the user.': [
    '只有其顾问{owner_id:person}可以释放该客户。',
    'Only the adviser, {owner_id:person}, can release the person.',
  ],
  'Only {received} of the {bytes} bytes of the file were received.':
    '文件共 {bytes} 字节，只收到 {received} 字节。',
  'Other organizations use this account too. The operator of the service can change it by command line.': [
    '其他机构也在使用该账号，只能由服务运营方修改。',
    'Other schools use this account too. Only the operator of the service can change it.',
  ],
  'Passkeys and providers work only at an address that is known.':
    '通行密钥和机构账号只能在为控制台设定的地址使用。',
  'Prices and instalments do not change while the order is {status}.':
    '订单{status:word}时不能修改价格和分期。',
  'Row {row} is longer than {longestRow} characters.': '第 {row} 行超过 {longestRow} 个字符。',
  'Row {row}, column {columnLetters}: {reason}.': '第 {row} 行 {columnLetters} 列：{reason:text}。',
  'Sharing a view requires the permission write.': [
    '共享视图需要编辑权限。',
    'Your role cannot share views.',
  ],
  'Support may not call this operation.': '支持人员不能执行此操作。',
  'User {record_id}': '{record_id:person}',
  'One of the users': '其中一位客户',
  '{who} was changed since, or has other records. Merge the users again instead.':
    '{who:text}之后又有变更，或有了其他记录。请改为重新合并。',
  'User {merged_user_id} was merged into {user_id} since. Undo that merge first: {merge_id}.':
    '{merged_user_id:person}之后已被合并到{user_id:person}。请先撤销那次合并{merge_id:none}。',
  'is not a parameter of this operation': '不是此操作的参数',
  'requires note': '需要同时填写备注',
  'must not be sent with user_ids: send one or the other': [
    '不能与所选客户同时使用：请二选一',
    'cannot be combined with chosen people: use one or the other',
  ],
  'is required unless the other one is sent': '与另一项必须填写其一',
  'Statement {name}: the opening balance {text} and {length} lines sum to {text2}, but the closing balance is {text} {currency}.':
    '对账单 {name}：期初余额 {text} 加 {length} 笔流水合计 {text2}，而期末余额为 {text} {currency}。',
  'That value is already taken.': '该内容已被使用。',
  'The Idempotency-Key was used with another body.': [
    '该操作编号已用于其他内容，请刷新页面后重试。',
    'This action was already sent with other content. Reload the page and try again.',
  ],
  'The account lacks the permission finance, which events of type {pattern} take.':
    '没有财务权限，不能读取 {pattern} 类事件。',
  'The account lacks the permission finance, which making an order free takes.': [
    '免费订单由财务处理。',
    'Only finance can make an order free.',
  ],
  'The account lacks the permission finance, which recording a voided charge again takes.': [
    '重新登记已作废的款项由财务处理。',
    'Only finance can record a voided charge again.',
  ],
  'The account lacks the permission finance, which retaining money takes.': [
    '留存不退费项由财务处理。',
    'Only finance can retain money.',
  ],
  'The account lacks the permission for this operation.': '没有此操作的权限。',
  'The account may not be used from this address.': '该账号不能从当前网络地址使用。',
  'The allowed addresses must be at most {maxNetworks} addresses or networks such as 203.0.113.0/24 or 2001:db8::/32.':
    '允许的地址最多 {maxNetworks} 个，可填地址或网段，如 203.0.113.0/24 或 2001:db8::/32。',
  'The batch was undone already. To restore it, undo that undo.':
    '该批修改已撤销。如需恢复，请撤销那次撤销。',
  'The call comes from a page of another site.': '请求来自其他网站的页面。',
  'The caller lacks the permission {permission}.': [
    '您没有{permission:word}权限。',
    'Your role lacks the permission {permission:word}.',
  ],
  'The change was decided before.': '该修改申请已经审批。',
  'The charge of the line is payment {payment_id}, which is void or matched. Reverse the void, or unmatch it.':
    [
      '该流水对应的收款已作废或已对账。请撤回作废，或取消对账。{payment_id:none}',
      'The payment of this line is void or matched. Reverse the void, or unmatch it.{payment_id:none}',
    ],
  'The charge of the line is refund {refund_id}, which is matched. Unmatch it first.': [
    '该流水对应的退费已对账，请先取消对账。{refund_id:none}',
    'The refund of this line is matched. Unmatch it first.{refund_id:none}',
  ],
  'The charge of the line is {id}, which the call names.': [
    '该流水的款项已在所选记录之中。{id:none}',
    'The record of this line is among the chosen ones already.{id:none}',
  ],
  'The charge was recorded again, as payment {payment_id}.': [
    '该款项已重新登记为另一笔收款。{payment_id:none}',
    'The charge was recorded again as another payment.{payment_id:none}',
  ],
  'The closing of {until} is not the latest: reverse the closing of {until2} first.':
    '{until:date} 的月结不是最近一次，请先撤销 {until2:date} 的月结。',
  'The closing of {until} was reversed before.': '{until:date} 的月结已撤销。',
  'The column area_code is missing; mobile needs it.': [
    '缺少区号列，手机号需要区号。',
    'The column for the calling code is missing; mobile numbers need it.',
  ],
  'The column external_id is missing: it identifies the order.': [
    '缺少外部订单号列，须用它识别订单。',
    'The column for the external id is missing: it identifies the order.',
  ],
  'The columns {holder} and {header} both mean {name}.': '列 {holder} 和 {header} 都表示{name:label}。',
  'The corp_id {quote} is invalid: use 1 to {id} letters, digits, dots, hyphens or underscores.': [
    '机构编号 {quote} 无效：请用 1 到 {id} 个字母、数字、点、连字符或下划线。',
    'The school id {quote} is invalid: use 1 to {id} letters, digits, dots, hyphens or underscores.',
  ],
  'The country {quote} is unknown: use a code of ISO 3166, such as CN.':
    '国家代码 {quote} 无效：请用 ISO 3166 代码，如 CN。',
  'The course is not active.': '该课程已停用。',
  'The currency {quote} is unknown: use a code of ISO 4217, such as CNY.':
    '币种 {quote} 无效：请用 ISO 4217 代码，如 CNY。',
  'The cursor does not lead into the current feed.': '事件位置已失效。',
  'The database has schema {schema}; this server works with {wantedSchema}.':
    '数据库版本为 {schema}，本服务器需要 {wantedSchema}。',
  'The database was updated to schema {schema}: this server is too old to change records. It still reads them.':
    '数据库已升级到版本 {schema}，本服务器版本过旧，只能查看，不能修改。',
  'The day is cashed up. To correct it, send corrects: {cash_up_id}.': [
    '当日已结账。如需更正，请在该次结账上更正。{cash_up_id:none}',
    'The day is cashed up. Correct that cash-up instead.{cash_up_id:none}',
  ],
  'The e-mail address or the password is wrong.': '邮箱或密码不正确。',
  'The encoding of the file is neither UTF-8 nor UTF-16 nor GB 18030.':
    '文件编码不是 UTF-8、UTF-16 或 GB 18030。',
  'The encoding {label} is not known. Known encodings are, for example, utf-8, utf-16le and gb18030.':
    '不支持编码 {label}。可用的编码如 utf-8、utf-16le、gb18030。',
  'The expiry must be in the future.': '到期日须晚于今天。',
  'The file declares a document type, which no such file does.': '文件含有文档类型声明，不是有效的此类文件。',
  'The file has a tag or a text of more than {longestPiece} characters.':
    '文件中有超过 {longestPiece} 个字符的标签或文字。',
  'The file has more than {mostFileBytes} bytes.': '文件超过 {mostFileBytes} 字节。',
  'The file has no header row.': '文件没有表头行。',
  'The file has no lines.': '文件没有流水。',
  'The file has no rows.': '文件没有数据行。',
  'The file has no statement of {name}: its statements are of {value}, and the account is {filter}.':
    '文件中没有 {name} 的对账单：其中的账户是 {value}，而所选账户是 {filter}。',
  'The file is being planned with another mapping.': '文件正在按另一种列对应关系检查。',
  'The file is being planned.': ['文件正在检查中。', 'The file is being checked.'],
  'The file is committed already.': ['文件已经导入。', 'The file is imported already.'],
  'The file is damaged: a part of it is not well-formed XML.': '文件已损坏：其中一部分不是有效的 XML。',
  'The file is empty.': '文件是空的。',
  'The file is not planned yet.': ['文件尚未检查。', 'The file is not checked yet.'],
  'The file looks like UTF-16 without a byte order mark.': '文件似为不带字节序标记的 UTF-16。',
  'The file nests its parts more than {deepest} deep.': '文件的嵌套超过 {deepest} 层。',
  'The file was uploaded already.': '文件已经上传。',
  'The format of the file cannot be recognised by its name.': '无法从文件名识别格式。',
  'The header {header} occurs twice, in the columns {columnLetters} and {columnLetters2}.':
    '表头 {header} 出现两次，在 {columnLetters} 列和 {columnLetters2} 列。',
  'The import of the file has started with other options. Repeat those.':
    '该文件已按其他选项开始导入，请使用相同选项。',
  'The limits have changed since. Request the change again.': '限额此后已有变动，请重新申请。',
  'The line {id} is {state}. Unmatch it first.': [
    '该流水{state:word}，请先取消对账。{id:none}',
    'The line is {state:word}. Unmatch it first.{id:none}',
  ],
  'The line {line_id} is {state}. Unmatch it first.': [
    '该流水{state:word}，请先取消对账。{line_id:none}',
    'The line is {state:word}. Unmatch it first.{line_id:none}',
  ],
  'The link does not work, or not any more.': '链接无效或已失效。',
  'The mapping file is not JSON.': '列对应文件不是 JSON。',
  'The mapping file must be an object of headers and columns.': '列对应文件须为表头与列的对象。',
  'The mapping names the column {column} twice.': '列对应关系中{column:label}出现两次。',
  'The mapping names the header {header}, which the file does not have.':
    '列对应关系中的表头 {header} 在文件中不存在。',
  'The mapping sends {header} to {column}, which is not a column. Columns: {tableColumns}.':
    '表头 {header} 对应的 {column} 不是可用的列。可用的列：{tableColumns:labels}。',
  'The mapping sends {header} to {name}, which is not a column. Columns: {keys}.':
    '表头 {header} 对应的 {name} 不是可用的列。可用的列：{keys:labels}。',
  'The media type is not supported.': '不支持的内容类型。',
  'The money of the payment moved at the same time. Try again.': '该笔收款的资金同时被移动，请重试。',
  'The name must have at most {name} characters.': '名称最多 {name} 个字符。',
  'The name must not be empty.': '名称不能为空。',
  'The name must not contain control characters.': '名称不能含有控制字符。',
  'The name of the account must have at most {name} characters.': '账号名称最多 {name} 个字符。',
  'The name of the account must not be empty.': '账号名称不能为空。',
  'The name of the account must not contain control characters.': '账号名称不能含有控制字符。',
  'The name of the organization must have at most {name} characters.': '机构名称最多 {name} 个字符。',
  'The name of the organization must not be empty.': '机构名称不能为空。',
  'The name of the organization must not contain control characters.': '机构名称不能含有控制字符。',
  'The operator has disabled this account. The operator can enable it with matricula staff enable.': [
    '该账号已被服务运营方停用，只能由服务运营方启用。',
    'The operator of the service has disabled this account and can enable it again.',
  ],
  'The order cannot take the money: {because}.': '该订单不能收此款：{because:text}。',
  'The order has changed since this was requested. {message} Decline the request; it can be repeated.':
    '提交申请后订单已有变动。{message:text}请驳回，可重新申请。',
  'The order has {open} open requests. Revoke one first.': '订单已有 {open} 份有效的付款通知，请先撤回一份。',
  'The order holds {left} of this money, not {price}.':
    '该订单只有此款中的 {left:money}，不足 {price:money}。',
  'The order is {status}. Only an order that can be paid has an invoice.':
    '订单{status:word}。只有可付款的订单才能开账单。',
  'The order is {status}: {because}.': '订单{status:word}：{because:text}。',
  'The order owes nothing, or takes no money now.': '订单没有待付金额，或当前不能付款。',
  'The organization has no provider to sign in with.': '机构没有可用于登录的账号。',
  'The organization has not named this domain.': '机构没有添加该域名。',
  'The organization has used up a quota.': '机构的配额已用完。',
  'The organization has used up its quota {refused}.': [
    '机构的配额已用完：{refused:word}。',
    'The school has used up its quota: {refused:word}.',
  ],
  'The organization has {mostOpen} uncommitted files. Commit or discard some of them first.': [
    '机构有 {mostOpen} 个未导入的文件，请先导入或放弃一些。',
    'The school has {mostOpen} files that are not imported. Import or discard some of them first.',
  ],
  'The organization is not granted to this account.': '该账号无权使用此机构。',
  'The organization is suspended.': '机构已停用。',
  'The organization needs an administrator who can sign in: give another colleague the role admin first.':
    '机构须有一位可登录的管理员：请先让另一位同事担任管理员。',
  'The other order cannot take the money: {because}.': '对方订单不能收此款：{because:text}。',
  'The part {fileName} of the workbook is too large.': '工作簿中的 {fileName} 过大。',
  'The part {fileName} of the workbook unpacks to more than {mostUnpacking} times its size.':
    '工作簿中的 {fileName} 解压后超过原大小的 {mostUnpacking} 倍。',
  'The passkey was not accepted.': '通行密钥未被接受。',
  'The payer is the user {user_id}. Erase the user, which erases the payer, too.': [
    '该付款方就是客户{user_id:person}。请删除该客户，付款方会一并删除。',
    'The payer is {user_id:person}. Erase that person, which erases the payer, too.',
  ],
  'The payer of the payment was erased. The payment keeps it.': '该笔收款的付款方已被删除，不能更改。',
  'The payer owes {debts}.': '该付款方欠款 {debts:amounts}。',
  'The payment has {available} on this order, not {price}: {sums}.':
    '该笔收款在此订单上只有 {available:money}，不足 {price:money}：{sums:text}。',
  'The payment has {available} unapplied, not {price}: {sums}.':
    '该笔收款待分配 {available:money}，不足 {price:money}：{sums:text}。',
  'The payment has {available}, not {price}: {sums}.':
    '该笔收款可用 {available:money}，不足 {price:money}：{sums:text}。',
  'The payment is not void.': '该笔收款没有作废。',
  'The payment is void, so it has no receipt.': '该笔收款已作废，不能开收据。',
  'The payment was recorded for a payer. Name another payer instead of none.':
    '该笔收款登记在付款方名下，请改选其他付款方，不能留空。',
  'The permission "{unknown}" is unknown: use {grantable}.': '没有权限“{unknown}”，可用：{grantable:words}。',
  'The person owes {debts}. Write it off first, or send confirm_debt.': [
    '该客户欠款 {debts:amounts}。请先核销，或确认仍要删除。',
    'The person owes {debts:amounts}. Write it off first, or confirm the erasure.',
  ],
  'The pool {pool} cannot be removed, because {users} still in it.':
    '不能移除{pool:word}：其中仍{users:text}。',
  'The pool {quote} is invalid: use 1 to {id} characters.': '资源池 {quote} 无效：请用 1 到 {id} 个字符。',
  'The pool {twice} is listed twice.': '资源池{twice:word}重复。',
  'The provider of one organization vouched for this session.': '您是以一家机构的账号登录的。',
  'The provider of the organization does not respond correctly. Try again later, or sign in another way.':
    '机构账号的登录服务没有正常响应，请稍后再试，或用其他方式登录。',
  'The rate limit must be a whole number of calls per minute, from 1 to {maxRateLimit}, or none.':
    '每分钟调用上限须为 1 到 {maxRateLimit} 的整数，或不限。',
  'The receipt number was used again, for payment {payment_id}.': [
    '该收据号已用于另一笔收款。{payment_id:none}',
    'The receipt number was used again, for another payment.{payment_id:none}',
  ],
  'The record has changed since that version.': '此记录刚被他人修改。',
  'The refund cancels no part of the price, so it has no credit note.':
    '该退费没有冲减费用，不需要贷项通知单。',
  'The refund is reversed already.': '该退费已冲销。',
  'The refund is reversed, so it has no credit note.': '该退费已冲销，不需要贷项通知单。',
  'The refund needs a second approver. Record it with order/refund/create, and match the line afterwards.': [
    '该退费须由另一人审批。请先在订单中申请退费，审批后再对账。',
    'The refund needs a second approver. Request it in the order, and match the line afterwards.',
  ],
  'The request body is nested more than {maxDepth} levels deep.': '提交的内容嵌套超过 {maxDepth} 层。',
  'The request body is not a JSON object.': '提交的内容不是 JSON 对象。',
  'The request body is too large.': '提交的内容过大。',
  'The request carries no token.': '请求没有令牌。',
  'The request counts as your own: one of the two accounts gave the other its access, or both have it from the same administrator. Another colleague must decide, or an administrator who is independent of both must confirm the person first (console/staff/confirm, matricula staff confirm).':
    [
      '这项申请视同由您本人提出：你们中的一人为另一人开通了权限，或两人的权限由同一位管理员开通。请由他人审批，或先由其他管理员在“设置 › 员工”中确认该员工。',
      'The request counts as your own: one of you gave the other access, or both have it from the same administrator. Another colleague must decide, or an independent administrator must confirm the person first in Settings › Staff.',
    ],
  'The request headers are too large.': '请求头过大。',
  'The request is not well-formed HTTP or did not arrive in time.': '请求格式有误，或没有及时送达。',
  'The request was decided before.': '该申请已经审批。',
  'The route does not take this method.': '该地址不支持此方法。',
  'The route takes {allowed}, not {method}.': '该地址支持 {allowed}，不支持 {method}。',
  'The rule for time stamps "{text}" is unknown: use {timeStampRuleNames}.':
    '没有时间戳规则“{text}”，可用：{timeStampRuleNames:words}。',
  'The server is stopping.': '服务器正在停止。',
  'The service is temporarily unavailable.': '服务暂时不可用。',
  'The sheet has more than {mostRows} rows.': '工作表超过 {mostRows} 行。',
  'The sheet has no header row.': '工作表没有表头行。',
  'The sheet {name} has no rows in the file.': '文件中的工作表 {name} 没有数据行。',
  'The sign-in by the provider of the organization was not accepted.': '机构账号登录未被接受。',
  'The signature does not match.': '签名不符。',
  'The signature of the call does not match.': '调用的签名不符。',
  'The signature of the call is too old, or was used before.': '调用的签名已过期或已使用过。',
  'The state of the record does not allow this.': '记录的当前状态不允许此操作。',
  'The statement has {total} entries, and a file at most {mostEntries}. Shorten the range of days.':
    '对账单有 {total} 笔，而文件最多 {mostEntries} 笔。请缩短日期范围。',
  'The statement is complete and takes no more lines.': '对账单已完整，不能再添加流水。',
  'The statement is not complete: its lines and balances differ by {missing_price}, or a number is missing.':
    '对账单不完整：流水与余额相差 {missing_price:money}，或缺少编号。',
  'The table has no column for the amount (price, or incoming and outgoing).': [
    '表格没有金额列（金额，或收入和支出）。',
    'The table has no column for the amount (amount, or incoming and outgoing).',
  ],
  'The table has no column for the date (value_date).': [
    '表格没有日期列。',
    'The table has no column for the date.',
  ],
  'The tag group is inactive and takes no assignments; activate it first.':
    '标签组已停用，不能添加标签，请先启用。',
  'The tag group is inactive. Activate it first.': '标签组已停用，请先启用。',
  'The text of the file is not {encoding} (after byte {bytes}).':
    '文件内容不是 {encoding} 编码（第 {bytes} 字节之后）。',
  'The time stamp is too far off or was used before.': '时间戳偏差过大或已使用过。',
  'The time zone {quote} is unknown: use a name of the IANA database, such as Asia/Shanghai.':
    '时区 {quote} 无效：请用 IANA 时区名，如 Asia/Shanghai。',
  'The token has expired.': '令牌已过期。',
  'The token is invalid.': '令牌无效。',
  'The token was revoked.': '令牌已被吊销。',
  'The transfer is reversed already.': '该转款已冲销。',
  'The undo is still running.': '撤销仍在进行。',
  'The user is in the pool {pool}; only users in {start} can be claimed.': [
    '该客户在{pool:word}，只有{start:word}中的客户可以领取。',
    'The person is in the pool {pool:word}; only people in {start:word} can be claimed.',
  ],
  'The user is in the public pool: claim the user first.': [
    '该客户在公海中，请先领取。',
    'The person is in the public pool: claim the person first.',
  ],
  'The user is not yours.': ['该客户不归您跟进。', 'The person is not yours.'],
  'The values file is not JSON.': '取值对应文件不是 JSON。',
  'The values file must be a JSON object of columns.': '取值对应文件须为列的 JSON 对象。',
  'The values of {column} cannot be mapped; only those of {valueColumns}.':
    '{column:label}的取值不能对应，只有{valueColumns:labels}可以。',
  'The values of {column} must be an object.': '{column:label}的取值须为对象。',
  'The view belongs to somebody else. Save it under another name.': '该视图属于他人，请另存为其他名称。',
  'The webhook endpoint is disabled. Enable it first with webhook/endpoint/enable.': [
    '该 Webhook 地址已停用，请先启用。',
    'The webhook endpoint is disabled. Enable it first.',
  ],
  'The workbook declares a document type, which no such file does.':
    '工作簿含有文档类型声明，不是有效的工作簿。',
  'The workbook has a tag or a text of more than {longestPiece} characters.':
    '工作簿中有超过 {longestPiece} 个字符的标签或文字。',
  'The workbook has a text of more than {longestRow} characters.':
    '工作簿中有超过 {longestRow} 个字符的文字。',
  'The workbook has more than {mostEntries} parts.': '工作簿超过 {mostEntries} 个部分。',
  'The workbook has more than {mostListed} formats.': '工作簿超过 {mostListed} 种格式。',
  'The workbook has more than {mostListed} relations.': '工作簿超过 {mostListed} 个关联。',
  'The workbook has more than {mostListed} sheets.': '工作簿超过 {mostListed} 个工作表。',
  'The workbook has more than {mostStrings} shared texts.': '工作簿超过 {mostStrings} 个共享文字。',
  'The workbook has no sheet {name}; it has {names}.': '工作簿没有工作表 {name}，只有 {names}。',
  'The workbook has no sheet.': '工作簿没有工作表。',
  'The workbook is damaged or encrypted: a part of it cannot be unpacked.':
    '工作簿已损坏或加密：其中一部分无法解压。',
  'The workbook is damaged: a part of it cannot be unpacked.': '工作簿已损坏：其中一部分无法解压。',
  'The workbook is damaged: a part of it is not well-formed XML.': '工作簿已损坏：其中一部分不是有效的 XML。',
  'The workbook is damaged: its cells are not in order.': '工作簿已损坏：单元格顺序有误。',
  'The workbook is damaged: its parts cannot be listed.': '工作簿已损坏：无法读取其内容。',
  'The workbook is too large: it unpacks to more than 4 GB.': '工作簿过大：解压后超过 4 GB。',
  'The workbook nests its parts more than {deepest} deep.': '工作簿的嵌套超过 {deepest} 层。',
  'The {noun} has version {current}, not {expected}.': [
    '该{noun:word}刚被他人修改（版本 {current}，不是 {expected}）。',
    'This {noun:word} was just changed by somebody else (version {current}, not {expected}).',
  ],
  'There already is an organization {corp_id}.': '已有机构 {corp_id}。',
  'There are already {mostViews} views. Delete one first.': '已有 {mostViews} 个视图，请先删除一个。',
  'There is no account {app_id}.': '没有账号 {app_id}。',
  'There is no file {file}.': '没有文件 {file}。',
  'There is no organization {corp_id}.': '没有机构 {corp_id}。',
  'There is no organization {missing}.': '没有机构 {missing}。',
  'There is no such API account in this organization.': '本机构没有该 API 账号。',
  'There is no such access of support in this organization.': '本机构没有该支持授权。',
  'There is no such approval request in this organization.': '本机构没有该审批申请。',
  'There is no such bank account in this organization.': '本机构没有该银行账户。',
  'There is no such bank statement in this organization.': '本机构没有该对账单。',
  'There is no such batch in this organization.': [
    '本机构没有该班次。',
    'There is no such intake in this school.',
  ],
  'There is no such batch of changes in this organization.': '本机构没有该批修改。',
  'There is no such cash-up to correct, or another entry was stored at the same time.':
    '没有可更正的结账记录，或他人同时保存了结账。',
  'There is no such coupon in this organization.': '本机构没有该优惠券。',
  'There is no such course in this organization.': '本机构没有该课程。',
  'There is no such document in this organization.': '本机构没有该单据。',
  'There is no such event in this organization.': '本机构没有该事件。',
  'There is no such export in this organization.': '本机构没有该导出文件。',
  'There is no such file of leads in this organization.': '本机构没有该线索文件。',
  'There is no such lead in this organization.': '本机构没有该线索。',
  'There is no such member of staff in this organization.': '本机构没有该员工。',
  'There is no such order in this organization.': '本机构没有该订单。',
  'There is no such payer in this organization.': '本机构没有该付款方。',
  'There is no such payment in this order.': '该订单没有这笔收款。',
  'There is no such payment request in this organization.': '本机构没有该付款通知。',
  'There is no such refund in this organization.': '本机构没有该退费。',
  'There is no such request to change limits in this organization.': '本机构没有该限额修改申请。',
  'There is no such route.': '没有该地址。',
  'There is no such statement file in this organization.': '本机构没有该对账单文件。',
  'There is no such sub-order in this order.': [
    '该订单没有这一期。',
    'There is no such instalment in this order.',
  ],
  'There is no such tag group in this organization.': '本机构没有该标签组。',
  'There is no such transfer in this organization.': '本机构没有该转款。',
  'There is no such user in this organization.': [
    '本机构没有该客户。',
    'There is no such person in this school.',
  ],
  'There is no such view.': '没有该视图。',
  'There is no such webhook delivery in this organization.': '本机构没有该 Webhook 推送。',
  'There is no such webhook endpoint in this organization.': '本机构没有该 Webhook 地址。',
  'This account may make {limit} calls a minute.': '该账号每分钟最多调用 {limit} 次。',
  'This account signs its calls that move money, and this one is not signed.':
    '该账号涉及资金的调用须签名，而此次没有签名。',
  'This asks for the password once more.': '请再次输入密码。',
  'This would revoke the last organization or permission: disable the account instead.':
    '这会收回最后一家机构或最后一项权限，请改为停用该账号。',
  'Too many failed attempts for this account from this address: wait a minute.':
    '该账号从此地址失败次数过多，请等一分钟。',
  'Too many failed attempts from this address: wait a minute.': '此地址失败次数过多，请等一分钟。',
  'Too many requests.': '请求过多，请稍候。',
  'Too many responses to this account wait to be read.': '该账号有过多响应尚未读取。',
  'Too many rows repeat the same {column}.': '过多的行重复了相同的{column:label}。',
  'User {user_id} was erased and cannot be merged. Use the present user of this person.': [
    '客户{user_id:person}已被删除，不能合并。请使用此人现在的记录。',
    '{user_id:person} was erased and cannot be merged. Use the present record of this person.',
  ],
  'Users have tags of this group, so its attribute must stay {attribute}.':
    '已有客户使用该组标签，其类型须保持为{attribute:word}。',
  'X-APP-ID disagrees with the token.': '请求头 X-APP-ID 与令牌不符。',
  'You cannot confirm this colleague: one of you has access from the other, or both from the same administrator. Another administrator can confirm, or the operator with matricula staff confirm.':
    [
      '您不能确认该员工：你们中的一人为另一人开通了权限，或两人的权限来自同一位管理员。请由其他管理员或服务运营方确认。',
      'You cannot confirm this colleague: one of you has access from the other, or both from the same administrator. Another administrator can confirm, or the operator of the service.',
    ],
  'You have no such passkey.': '您没有该通行密钥。',
  'You have revealed {max} contacts in this hour, the maximum. An administrator can raise the limit.':
    '本小时内您已查看 {max} 个联系方式，达到上限。管理员可提高上限。',
  'You have searched for {maxPerMinute} numbers or addresses in this minute, the maximum. Try again in a minute.':
    '一分钟内最多按号码或邮箱搜索 {maxPerMinute} 次，请稍候再试。',
  'a quoted cell does not end, or is too long': '带引号的单元格没有结束，或过长',
  'a row has at most {longestRow} characters': '每行最多 {longestRow} 个字符',
  'a row has at most {mostColumns} columns': '每行最多 {mostColumns} 列',
  'a statement has at most {mostLines} lines': '每份对账单最多 {mostLines} 笔流水',
  'an order does not move from {status} to {to}': '订单不能从{status:word}改为{to:word}',
  'belongs to a colleague with the role {role}': '属于一位现任员工，角色为{role:word}',
  'belongs to a lead with other content': '属于另一条内容不同的线索',
  'belongs to a payment of another order': '属于另一订单的收款',
  'belongs to a payment of other content': '属于另一笔内容不同的收款',
  'belongs to a person who was erased on {day} ({user_id}); an administrator can lift the erasure': [
    '属于已于 {day:date} 删除的客户，管理员可以解除删除{user_id:none}',
    'belongs to a person who was erased on {day:date}; an administrator can lift the erasure{user_id:none}',
  ],
  'belongs to a refund of other content': '属于另一笔内容不同的退费',
  'belongs to a statement whose line {number} is another one. State another name':
    '属于另一份对账单（第 {number} 笔不同），请换一个名称',
  'belongs to a statement with other balances': '属于另一份余额不同的对账单',
  'belongs to a voided payment of other content: send reinstate to record the charge again': [
    '属于一笔已作废且内容不同的收款：如需重新登记，请选择恢复',
    'belongs to a voided payment of other content: choose to reinstate it to record the charge again',
  ],
  'belongs to a voided payment: send reinstate to record it again': [
    '属于一笔已作废的收款：如需重新登记，请选择恢复',
    'belongs to a voided payment: choose to reinstate it to record it again',
  ],
  'belongs to an invited colleague with the role {role}': '属于一位已受邀的同事，角色为{role:word}',
  'belongs to an order of other content': '属于另一份内容不同的订单',
  'belongs to another bank account': '属于另一个银行账户',
  'belongs to another payer': '属于另一位付款方',
  'belongs to another tag group': '属于另一个标签组',
  'belongs to another user': ['属于另一位客户', 'belongs to another person'],
  'belongs to another webhook endpoint': '属于另一个 Webhook 地址',
  'belongs to another {noun}': '属于另一个{noun:word}',
  'cannot be combined with time_range_type modify': [
    '不能与按修改时间筛选同时使用',
    'cannot be combined with a range of modification times',
  ],
  'cannot be imported: {refusalOf}': '无法导入：{refusalOf:text}',
  'cannot change a recorded payment; a further payment needs its own charge_id': [
    '不能修改已登记的收款；另一笔收款须有自己的交易号',
    'cannot change a recorded payment; a further payment needs its own reference',
  ],
  'cannot change here: the order has {sub_order_count}; use order/update': [
    '不能在此修改：订单有 {sub_order_count} 期，请在订单中修改',
    'cannot change here: the order has {sub_order_count}; change it in the order',
  ],
  'cannot change here: the order is {status}; use order/status/update': [
    '不能在此修改：订单{status:word}，请在订单中修改',
    'cannot change here: the order is {status:word}; change it in the order',
  ],
  'cannot change here: use order/update': [
    '不能在此修改，请在订单中修改',
    'cannot change here: change it in the order',
  ],
  'cannot change: the order has {batch_name}': '不能修改：订单的班次为 {batch_name}',
  'cannot change: the order has {known}': '不能修改：订单已有 {known}',
  'contradicts an earlier item': '与前面的条目矛盾',
  'does not fit {keyword} {stringify}': '不符合规则 {keyword} {stringify}',
  'exceeds the limit: an organization has at most {maxDomains} domains':
    '超出上限：一家机构最多 {maxDomains} 个域名',
  'gross {at} less fee {at2} is not net {at3}': '总额 {at} 减手续费 {at2} 不等于净额 {at3}',
  'has a currency, {currency}, that is not in ISO 4217': '的币种 {currency} 不在 ISO 4217 中',
  'has a name that {reason}': '含有的名称{reason:text}',
  'has been claimed by {owner_id}': '已被{owner_id:person}领取',
  'has escapes (%…) that are no UTF-8': '含有不是 UTF-8 的转义（%…）',
  'has open access already: revoke it first': '已有未结束的授权：请先撤销',
  'has more than {mostDebts} debts. Name a course, an owner or an age':
    '的欠款超过 {mostDebts} 笔，请指定课程、顾问或账龄',
  'has the content of a file that was imported already': '与已导入的文件内容相同',
  'have another currency than their counterparts': '的币种与对应的记录不同',
  'holds a formula without a stored value: open and save the workbook once':
    '含有未保存结果的公式：请打开工作簿并保存一次',
  'holds a list with values that are not texts': '的列表中含有不是文字的值',
  'holds a number of more than 15 digits, which spreadsheets round: store it as text':
    '含有超过 15 位的数字，电子表格会将其舍入：请存为文本',
  'holds an object in an object': '的对象中又含有对象',
  'holds the date number {text}, which is not a date': '的日期数值 {text} 不是有效日期',
  'holds the error {text}': '含有错误值 {text}',
  'holds {text}, which is not a number': '的 {text} 不是数字',
  'instalment {seq} has {paymentSlots} payments, and cannot show more':
    '第 {seq} 期已有 {paymentSlots} 笔收款，不能再记',
  'is 0 in the currency of the order': '按订单币种为 0',
  'is 0: nothing of the line is left': '为 0：该流水已无余额',
  'is another line than number {first_number} of the statement': '与对账单第 {first_number} 笔不同',
  'is in row {first} already': '在第 {first} 行已出现',
  'is in row {first} already, with other content': '在第 {first} 行已出现，且内容不同',
  'is missing': '未填写',
  'is more than the ledger takes': '超出可记账的金额',
  'is not a cursor of this feed': '不是此事件流的位置',
  'is not a cursor of this list': '不是此列表的位置',
  'is not a parameter of this operation, which moves money': [
    '不是此项资金操作的内容',
    'is not a field of this operation, which moves money',
  ],
  'is not the user of the order': ['不是该订单的客户', 'is not the person of the order'],
  'is required': '必填',
  'is required (or basis_points)': ['必填（或填折扣比例）', 'is required (or the discount in percent)'],
  'is required (or batch_id)': ['必填（或选择班次）', 'is required (or an intake)'],
  'is required (or course_id)': ['必填（或选择课程）', 'is required (or a course)'],
  'is required (or credential)': ['必填（或使用通行密钥）', 'is required (or a passkey)'],
  'is required (or email)': '必填（或填邮箱）',
  'is required (or payer_user_id, or payer_name)': [
    '必填（或选择客户，或填付款方姓名）',
    'is required (or a person, or the name of the payer)',
  ],
  'is required (or rate): no payment of the refund is in {currency}':
    '必填（或填汇率）：该退费没有 {currency} 的收款',
  'is required (or settled_price): the order is in {orderCurrency}': [
    '必填（或填结算金额）：订单币种为 {orderCurrency}',
    'is required (or the settled amount): the order is in {orderCurrency}',
  ],
  'is required (or user_id)': ['必填（或选择客户）', 'is required (or a person)'],
  'is required for a new course': '新建课程时必填',
  'is required for a payment': '有收款时必填',
  'is required for a {as}': '登记{as:word}时必填',
  'is required unless area_code and mobile are sent': [
    '未填区号和手机号时必填',
    'is required unless calling code and mobile number are given',
  ],
  'is required unless the course has a price in the currency of the order': '必填，除非课程有订单币种的标价',
  'is required unless user_id is sent': ['未选择客户时必填', 'is required unless a person is chosen'],
  'is required with amount': '填写金额时必填',
  'is required with area_code unless email is sent': [
    '填写区号时必填（除非填了邮箱）',
    'is required with the calling code, unless an e-mail address is given',
  ],
  'is required with corrects': ['更正时必填', 'is required for a correction'],
  'is required with currency': '选择币种时必填',
  'is required with default_role: without it, any address would be admitted': [
    '设有默认角色时必填：否则任何邮箱都可进入',
    'is required with a default role: without it, any address would be admitted',
  ],
  'is required with mobile': '填写手机号时必填',
  'is required with mobile unless email is sent': [
    '填写手机号时必填（除非填了邮箱）',
    'is required with the mobile number, unless an e-mail address is given',
  ],
  'is required with retain': ['留存不退时必填', 'is required to retain money'],
  'is required with sub_order_id': ['选择分期时必填', 'is required with an instalment'],
  'is required without from_seq or all_dead': [
    '未指定起始序号或全部失败的推送时必填',
    'is required without a first number or all failed deliveries',
  ],
  'is required, unless area_code and mobile or email identify the user': [
    '必填，除非由区号和手机号或邮箱识别客户',
    'is required, unless calling code and mobile number or e-mail identify the person',
  ],
  'is required: only orders have this figure': '必填：只有订单有此数字',
  'is required: the charge_id belongs to {sort}': [
    '必填：该交易号属于 {sort}',
    'is required: the reference belongs to {sort}',
  ],
  'is required: the difference is {difference}': '必填：差额为 {difference:money}',
  'is required: the order is in {orderCurrency}': '必填：订单币种为 {orderCurrency}',
  'is the lead {lead_id}': ['已是现有线索{lead_id:none}', 'is a lead already{lead_id:none}'],
  'is the same user as user_id already': ['与所选客户已是同一人', 'is the same person already'],
  'is verified for another organization: ask the operator of this service to remove it there':
    '已由其他机构验证：请联系服务运营方在那里移除',
  'is written in {mark}, but the currency is {currency}': '用 {mark} 书写，但币种为 {currency}',
  'it holds {held}, which has to be refunded, transferred or retained first':
    '其中有 {held:money}，须先退费、转款或留存',
  'it is {status}': '订单{status:word}',
  'its money makes it created': ['按收款情况应为待付款', 'its money makes it unpaid'],
  'its money makes it pending': ['按收款情况应为部分付款', 'its money makes it part paid'],
  'its money makes it success': ['按收款情况应为已付清', 'its money makes it paid'],
  'makes a rate that is too high: rate × 10,000 must be at most {MAX_SAFE_INTEGER}': [
    '得出的汇率过高{MAX_SAFE_INTEGER:none}',
    'makes a rate that is too high{MAX_SAFE_INTEGER:none}',
  ],
  'may be {decimal} or {asDecimal} in {currency}: write it without a comma':
    '可能是 {currency} {decimal} 或 {asDecimal}：请不要写逗号',
  'must NOT have additional properties': ['含有多余的内容', 'must not have further members'],
  'must NOT have duplicate items (items ## {first} and {second} are identical)': [
    '不能重复（第 {first} 项与第 {second} 项相同，从 0 数起）',
    'must not repeat an item (items {first} and {second}, counted from 0)',
  ],
  'must NOT have fewer than {limit} characters': [
    '至少 {limit} 个字符',
    'must have at least {limit} characters',
  ],
  'must NOT have fewer than {limit} items': ['至少 {limit} 项', 'must have at least {limit} items'],
  'must agree with app_id where both are sent': ['须与应用编号一致', 'must agree with the application id'],
  'must be 1 to 255 visible ASCII characters': '须为 1 到 255 个可见的 ASCII 字符',
  'must be 10000 if the currency is the order’s': [
    '币种与订单相同时须为 1',
    'must be 1 if the currency is the order’s',
  ],
  'must be 64 hexadecimal digits': '须为 64 位十六进制数',
  'must be Base64': '须为 Base64',
  'must be a colour such as #0a3f8f': '须为 #0a3f8f 这样的颜色',
  'must be darker, so that white text on it is readable': '须更深，否则白色文字看不清',
  'must be a PNG or JPEG image': '须为 PNG 或 JPEG 图片',
  'must be a batch of this course': ['须为该课程的班次', 'must be an intake of this course'],
  'must be a calendar day, YYYY-MM-DD, or never': [
    '须为日期（年-月-日）或永不',
    'must be a calendar day such as 2026-10-31, or never',
  ],
  'must be a date (YYYY-MM-DD) or a time (YYYY-MM-DD HH:MM:SS) that exists': [
    '须为存在的日期或时间，如 2026-10-31 或 2026-10-31 09:30:00',
    'must be a date or a time that exists, such as 2026-10-31 or 2026-10-31 09:30:00',
  ],
  'must be a date (YYYY-MM-DD, from 0001-01-01 to 9999-12-31) or a time (YYYY-MM-DD HH:MM:SS) that exists': [
    '须为存在的日期或时间，如 2026-10-31 或 2026-10-31 09:30:00',
    'must be a date or a time that exists, such as 2026-10-31 or 2026-10-31 09:30:00',
  ],
  'must be a date (YYYY-MM-DD, from 0001-01-01 to 9999-12-31) or a time (YYYY-MM-DD HH:MM:SS) that exists, or empty':
    [
      '须为存在的日期或时间，如 2026-10-31 或 2026-10-31 09:30:00，或留空',
      'must be a date or a time that exists, such as 2026-10-31 or 2026-10-31 09:30:00, or empty',
    ],
  'must be a date (YYYY-MM-DD, from 0001-01-01 to 9999-12-31) that exists': [
    '须为存在的日期，如 2026-10-31',
    'must be a date that exists, such as 2026-10-31',
  ],
  'must be a date (YYYY-MM-DD, from 0001-01-01 to 9999-12-31) that exists, or empty': [
    '须为存在的日期，如 2026-10-31，或留空',
    'must be a date that exists, such as 2026-10-31, or empty',
  ],
  'must be a day that is over': '须为已过去的日期',
  'must be a day, because the old secret must end': '须为日期，因为旧密钥必须停用',
  'must be a decimal number of at most 15 significant digits, as the attribute of the tag group is number':
    '须为最多 15 位有效数字的小数，因为该标签组的类型是数字',
  'must be a domain that one organization can own, such as school.example':
    '须为一家机构可以独有的域名，如 school.example',
  'must be a known encoding, such as utf-8, gb18030 or windows-1252':
    '须为支持的编码，如 utf-8、gb18030 或 windows-1252',
  'must be a line of another account': '须为另一账户的流水',
  'must be a multiple of {limit}': '须为 {limit} 的倍数',
  'must be a number of at least ten digits': '须为至少十位的数字',
  'must be a number of at least three digits': '须为至少三位的号码',
  'must be a plain decimal above 0': '须为大于 0 的小数',
  'must be a whole number, digits only': '须为整数，只含数字',
  'must be above 0': '须大于 0',
  'must be after {until}, the last closed day': '须晚于已月结的 {until:date}',
  'must be amounts in minor units by currency, which {currency} is not': [
    '须按币种填写金额，{currency} 不符',
    'must be amounts by currency, which {currency} is not',
  ],
  'must be an ISO 4217 code such as CNY': '须为 ISO 4217 代码，如 CNY',
  'must be an amount such as 12800, 12,800.00 or 1 280, not negative and without an exponent':
    '须为金额，如 12800、12,800.00 或 1 280，不能为负，不能用科学计数',
  'must be an e-mail address': '须为邮箱地址',
  'must be an existing country calling code, digits without a leading plus':
    '须为存在的国际区号，只填数字，不带加号',
  'must be an https address': '须为 https 地址',
  'must be an https address without a question mark or fragment': '须为 https 地址，不含问号或 # 部分',
  'must be an https address without a user name': '须为不含用户名的 https 地址',
  'must be an incoming line': '须为收入流水',
  'must be an instant such as 2026-03-31T23:59:59Z, or a day such as 2026-03-31':
    '须为时间或日期，如 2026-03-31',
  'must be an outgoing line': '须为支出流水',
  'must be another order': '须为另一订单',
  'must be another user than user_id': ['须为另一位客户', 'must be another person'],
  'must be at least {least} for a counsellor': '由顾问办理时不得低于 {least:money}',
  'must be at least {limit}': '不得小于 {limit}',
  'must be at least {spent}, the discounts that orders have': '不得低于订单已用的优惠 {spent:money}',
  'must be at least {uses}, the orders that have the coupon': '不得少于已使用该券的 {uses} 个订单',
  'must be at most {largestAmount} in the currency of the order': '按订单币种最多为 {largestAmount:money}',
  'must be at most {left}, the listed price ({listed_price}) less the coupons':
    '最多为 {left:money}，即标价 {listed_price:money} 减优惠券',
  'must be at most {left}, the listed price less the coupons': '最多为 {left:money}，即标价减优惠券',
  'must be at most {limit}': '不得大于 {limit}',
  'must be at most {limit} characters long': '最多 {limit} 个字符',
  'must be at most {maxPixels} pixels wide and high': '宽和高最多 {maxPixels} 像素',
  'must be at most {most} characters long': '最多 {most} 个字符',
  'must be at most {most}, which was received for it': '最多为 {most:money}，即为此收到的金额',
  'must be at most {outstanding}, the unpaid amount': '最多为待付的 {outstanding:money}',
  'must be at most {price} in {orderCurrency} by the rate, but is {order_price}': [
    '按汇率最多为 {price:money}，而填写的是 {order_price:money}',
    'must be at most {price:money} by the rate, but is {order_price:money}',
  ],
  'must be bytes in base64, padded to a multiple of four characters': '须为 Base64 编码，长度为四的倍数',
  'must be digits only, at most 14': '只能含数字，最多 14 位',
  'must be either all incoming or all outgoing, as their counterparts':
    '须全部为收入或全部为支出，与对应的记录一致',
  'must be empty for several lines': '选择多笔流水时须留空',
  'must be equal to constant': ['须为规定的值', 'must have the fixed value'],
  'must be equal to price if the currency is the order’s': [
    '币种与订单相同时须等于金额',
    'must equal the amount if the currency is the order’s',
  ],
  'must be given once': '只能填写一次',
  'must be greater than {limit}': '须大于 {limit}',
  'must be in the future: otherwise the order expires again': '须晚于现在，否则订单会再次过期',
  'must be less than from_seq + {maxReplayed}': [
    '与起始序号的差须小于 {maxReplayed}',
    'must be less than {maxReplayed} above the first number',
  ],
  'must be negative for a {as}': '登记{as:word}时须为负数',
  'must be one line of text, without control characters or lone surrogates': [
    '须为单行文字，不含控制字符',
    'must be one line of text, without control characters',
  ],
  'must be one of {allowedValues}': '须为以下之一：{allowedValues:words}',
  'must be one of {pools}': '须为以下之一：{pools:words}',
  'must be owners with fractions of at most four decimals, as in anna:0.6;li:0.4': [
    '须为顾问与比例（最多四位小数），如 anna:0.6;li:0.4',
    'must be advisers with fractions of at most four decimals, as in anna:0.6;li:0.4',
  ],
  'must be positive for a payment': '登记收款时须为正数',
  'must be sent with the other half of the number': [
    '区号和手机号须一起填写',
    'must be given together with the other half of the number',
  ],
  'must be text': '须为文字',
  'must be text of at most {id} characters': '须为最多 {id} 个字符的文字',
  'must be text of at most {longText} characters': '须为最多 {longText} 个字符的文字',
  'must be text of at most {name} characters': '须为最多 {name} 个字符的文字',
  'must be text without NUL characters or lone surrogates': [
    '须为不含无效字符的文字',
    'must be text without invalid characters',
  ],
  'must be the last day of a closing': '须为月结的最后一天',
  'must be true or absent': ['只能选“是”或留空', 'must be yes or empty'],
  'must be true or false': ['须为“是”或“否”', 'must be yes or no'],
  'must be true or false, as the attribute of the tag group is define': [
    '须为“是”或“否”，因为该标签组的类型是是否',
    'must be yes or no, as the tag group takes yes or no',
  ],
  'must be within {most} days of start_date': [
    '与开始日期相距不得超过 {most} 天',
    'must be within {most} days of the start date',
  ],
  'must be yes or no': '须为“是”或“否”',
  'must be {articled}': '须为{articled:word}',
  'must be {currency}, the currency of the account': '须为账户的币种 {currency}',
  'must be {current}': '须为 {current}',
  'must be {integerOfRate} (rate × 10,000), or be omitted': [
    '与汇率不一致，请留空{integerOfRate:none}',
    'disagrees with the rate: leave it empty{integerOfRate:none}',
  ],
  'must be {length}, the size of the content': '须为内容的大小 {length}',
  'must be {received}, the number of bytes received': '须为已收到的字节数 {received}',
  'must end at byte {bytes}, the size of the file': '须止于文件大小 {bytes} 字节',
  'must have a line for the method “{method}” in {currency}':
    '须有方式“{method:word}”、币种 {currency} 的一行',
  'must have at most {exponent} decimals in {currency}': '{currency} 最多 {exponent} 位小数',
  'must have at most {limit} items': '最多 {limit} 项',
  'must have at most {maxDigits} digits together with area_code': [
    '与区号合计最多 {maxDigits} 位',
    'must have at most {maxDigits} digits together with the calling code',
  ],
  'must have at most {maxLogoBytes} bytes': '最多 {maxLogoBytes} 字节',
  'must have at most {most} items': '最多 {most} 项',
  'must have at most {most} members': '最多 {most} 个成员',
  'must have fractions of at most four decimals': '比例最多四位小数',
  'must have no other places than {order_id}, {amount}, {currency} and {reference}': [
    '只能使用四种占位符：订单号、金额、币种和参考号{order_id:none}{amount:none}{currency:none}{reference:none}',
    'must have no other places than those for order, amount, currency and reference{order_id:none}{amount:none}{currency:none}{reference:none}',
  ],
  'must have no places in the name of the host': '域名中不能有占位符',
  'must match a schema in anyOf': ['格式不符', 'has the wrong form'],
  'must match {pattern}': ['格式不符（{pattern}）', 'has the wrong form ({pattern})'],
  'must name an order in another currency than {currency}': [
    '须为币种不是 {currency} 的订单',
    'must be an order in another currency than {currency}',
  ],
  'must name an order in {currency}, not in {currency2}': [
    '须为 {currency} 的订单，而不是 {currency2}',
    'must be an order in {currency}, not in {currency2}',
  ],
  'must name each coupon once': '每张优惠券只能选一次',
  'must name each currency once': '每种币种只能填一次',
  'must name each group once': '每个标签组只能选一次',
  'must name each method and currency once': '每种方式和币种只能填一次',
  'must name each order once': '每个订单只能选一次',
  'must name each sub-order once': ['每期只能选一次', 'must name each instalment once'],
  'must name sub-orders that are not paid': ['须为尚未付清的分期', 'must name instalments that are not paid'],
  'must not be 0': '不能为 0',
  'must not be before 2000-01-01': '不能早于 2000-01-01',
  'must not be before start_date': ['不能早于开始日期', 'must not be before the start date'],
  'must not be before start_time': ['不能早于开始时间', 'must not be before the start'],
  'must not be before valid_from': ['不能早于生效日期', 'must not be before the first day of validity'],
  'must not be empty': '不能为空',
  'must not be in the future': '不能晚于现在',
  'must not be in the past': '不能早于今天',
  'must not be less than from_seq': ['不能小于起始序号', 'must not be less than the first number'],
  'must not be more than the outgoing line': '不能多于支出流水',
  'must not be sent with amount': ['不能与金额同时填写', 'must not be given with an amount'],
  'must not be sent with area_code or mobile: send one or the other': [
    '不能与区号或手机号同时填写，请只填一种',
    'must not be given with a calling code or mobile number: give one or the other',
  ],
  'must not be sent with basis_points': [
    '不能与折扣比例同时填写',
    'must not be given with a discount in percent',
  ],
  'must not be sent with course_id': ['不能与所选课程同时填写', 'must not be given with a chosen course'],
  'must not be sent with discounted_price': [
    '不能与折后价同时填写',
    'must not be given with the discounted price',
  ],
  'must not be sent with password: send one or the other': [
    '不能与密码同时使用，请只用一种',
    'must not be given with a password: give one or the other',
  ],
  'must not be sent with sub_orders': ['不能与分期同时填写', 'must not be given with instalments'],
  'must not be sent with {payers}': [
    '不能与{payers:labels}同时填写',
    'must not be given with {payers:labels}',
  ],
  'must not be years before the payment {payment_id}, which it returns': [
    '不能比所退的收款早数年{payment_id:none}',
    'must not be years before the payment that it returns{payment_id:none}',
  ],
  'must not bring the received amount above {largestAmount}': '不能使已收金额超过 {largestAmount:money}',
  'must not bring the total price above {largestAmount}': '不能使总价超过 {largestAmount:money}',
  'must not contain a fragment': '不能含有 # 部分',
  'must not contain a user or password': '不能含有用户名或密码',
  'must not exceed the listed price ({listed_price}), but amount to {taken}':
    '不能超过标价 {listed_price:money}，而合计为 {taken:money}',
  'must not have sub_order_id in a new order': ['新订单的分期不能带编号', 'must not have ids in a new order'],
  'must not lead into a private network': '不能指向内部网络',
  'must not name {both}, who is also in add_owner_ids': [
    '不能包含{both:person}，此人也在要添加的顾问中',
    'must not name {both:person}, who is also among the advisers to add',
  ],
  'must state all prices but one': ['除一项外须填写全部金额', 'must state all amounts but one'],
  'must stay {attribute} while users have tags of the group':
    '已有客户使用该组标签，须保持为{attribute:word}',
  'must sum to 1': '合计须为 1',
  'must sum to at most {order_price}, which was received': '合计最多为收到的 {order_price:money}',
  'must sum to the total price, {total}, but sum to {sum}':
    '合计须等于总价 {total:money}，而现在为 {sum:money}',
  'must use port 443': '须使用端口 443',
  'name a line that does not exist': '含有不存在的流水',
  'name a line twice': '含有重复的流水',
  'names a canceled order, which cannot change': '是已取消的订单，不能修改',
  'names a coupon in {currency}, not in {of}': '含有 {currency} 的优惠券，而不是 {of}',
  'names a coupon that does not exist': '含有不存在的优惠券',
  'names a coupon that is no longer valid': '含有已过期的优惠券',
  'names a coupon that is not active': '含有已停用的优惠券',
  'names a coupon that is not valid yet': '含有尚未生效的优惠券',
  'names a line that does not exist': '是不存在的流水',
  'names an order that was deleted': '是已删除的订单',
  'names no batch of the course': ['不是该课程的班次', 'is no intake of the course'],
  'names no course of the organization': '不是本机构的课程',
  'names no event type in part {index}': '第 {index} 部分不是事件类型',
  'names no user of the organization': ['不是本机构的客户', 'is nobody of the school'],
  'names {coupon_id}, which has {left} of its budget of {budget_price} left, and needs {more} more':
    '含有优惠券 {coupon_id}：其预算 {budget_price:money} 尚余 {left:money}，还差 {more:money}',
  'names {coupon_id}, which is used up: {uses} of {max_uses} uses':
    '含有优惠券 {coupon_id}，已用完（{uses}/{max_uses} 次）',
  'names {coupon_id}, whose budget is in {budget_currency}, not in {currency}':
    '含有优惠券 {coupon_id}，其预算币种为 {budget_currency}，而不是 {currency}',
  'names {id}, which does not exist': [
    '含有不存在的记录{id:none}',
    'names a record that does not exist{id:none}',
  ],
  'names {id}, which is matched already or void': [
    '含有已对账或已作废的记录{id:none}',
    'names a record that is matched already or void{id:none}',
  ],
  'needs a course_code': ['需要课程代码', 'needs a course code'],
  'no order has it yet': '尚未归入订单',
  'only an order that has received nothing expires': '只有未收款的订单才会过期',
  'or account_id is required': ['必填（或选择银行账户）', 'is required (or a bank account)'],
  'or another profile member must be sent': ['至少填写一项资料', 'or another detail is required'],
  'or from_seq and until_seq or all_dead: send one of them': [
    '与序号范围、全部失败的推送之中只能选一种',
    'or a range of numbers or all failed deliveries: choose one of them',
  ],
  'received {order_price} − voided {voided} − refunded {refunded} − moved {moved}':
    '已收 {order_price:money} − 作废 {voided:money} − 已退 {refunded:money} − 已转 {moved:money}',
  'refers to a text that the workbook does not have': '引用了工作簿中不存在的文字',
  'repeats row {first}': '与第 {first} 行重复',
  'requires a course': '需要先选课程',
  'requires tags_group_id': ['需要先选标签组', 'requires a tag group'],
  'requires the status canceled': '只用于取消订单',
  'sum to {lines}, and the counterparts to {counterparts}':
    '合计 {lines:money}，而对应的记录合计 {counterparts:money}',
  'the amount is 0': '金额为 0',
  'the amount is in {currency}, and the statement in {currency2}':
    '金额币种为 {currency}，而对账单币种为 {currency2}',
  'the amount is missing': '缺少金额',
  'the balance :{tag}: must be such as C261001EUR1234,56': '余额 :{tag}: 的格式须如 C261001EUR1234,56',
  'the balance does not follow from the row before and the amount': '余额与上一行余额和本行金额不符',
  'the closing balance is in {currency}, the opening balance is not':
    '期末余额币种为 {currency}，期初余额不是',
  'the currency {currency} is not in ISO 4217': '币种 {currency} 不在 ISO 4217 中',
  'the date is missing': '缺少日期',
  'the date {at} must be such as 2026-10-14, or must state the order of day and month':
    '日期 {at} 的格式须如 2026-10-14，或须指明日和月的顺序',
  'the day {year}{month}{day} does not exist': '日期 {year}{month}{day} 不存在',
  'the entry has neither a value date nor a booking date': '该笔流水没有起息日，也没有记账日',
  'the field :61: must be such as 2610141014C1234,56NTRFREFERENCE//BANK-REFERENCE':
    '字段 :61: 的格式须如 2610141014C1234,56NTRFREFERENCE//BANK-REFERENCE',
  'the field :{tag}: is before the field :20:': '字段 :{tag}: 在字段 :20: 之前',
  'the file has more than {mostRecords} rows': '文件超过 {mostRecords} 行',
  'the file has no statement (BkToCstmrStmt/Stmt), so it is not CAMT.053':
    '文件中没有对账单（BkToCstmrStmt/Stmt），不是 CAMT.053',
  'the header is longer than {longestHeader} characters': '表头超过 {longestHeader} 个字符',
  'the header {fault}': '表头{fault:text}',
  'the net amount is missing': '缺少净额',
  'the order could not take it': '该订单未能收此款',
  'the order is {status}': '订单{status:word}',
  'the row has an incoming and an outgoing amount': '该行同时有收入和支出金额',
  'the statement {value} lacks its opening balance :60F: or its closing balance :62F:':
    '对账单 {value} 缺少期初余额 :60F: 或期末余额 :62F:',
  'time_stamp is more than {minutes} minutes off: this account accepts the current Unix time, in seconds or milliseconds.':
    [
      '时间戳偏差超过 {minutes} 分钟：该账号只接受当前的 Unix 时间（秒或毫秒）。',
      'The time stamp is more than {minutes} minutes off: this account accepts the current Unix time, in seconds or milliseconds.',
    ],
  'time_stamp was used before: this account accepts each signature once, so send a later time stamp.': [
    '时间戳已使用过：该账号的每个签名只能用一次，请使用更晚的时间戳。',
    'The time stamp was used before: this account accepts each signature once, so send a later time stamp.',
  ],
  'was refused by the database: another writer changed the same data, or a value does not fit': [
    '未能保存：他人同时修改了相同的数据，或有值不合适',
    'was not stored: somebody else changed the same data, or a value does not fit',
  ],
  '{at} is neither incoming nor outgoing': '{at} 既不是收入也不是支出',
  '{cell} is not an amount': '{cell} 不是金额',
  '{decimal} has more than {exponent} decimals of {currency}':
    '{decimal} 超过 {currency} 的 {exponent} 位小数',
  '{decimal} is more than the ledger takes': '{decimal} 超出可记账的金额',
  '{decimal} is not an amount': '{decimal} 不是金额',
  '{facts} Write off, allocate or refund it first, or send confirm_debt.': [
    '{facts:sentences}请先核销、分配或退费，或确认仍要删除。',
    '{facts:sentences} Write off, allocate or refund it first, or confirm the erasure.',
  ],
  '{length} of the users are in the public pool: claim them first.': [
    '所选客户中有 {length} 位在公海，请先领取。',
    '{length} of the people are in the public pool: claim them first.',
  ],
  '{length} of the users are not yours.': [
    '所选客户中有 {length} 位不归您跟进。',
    '{length} of the people are not yours.',
  ],
  '{message} Set {option} {values}.': '{message:text}请选择{option:label}：{values}。',
  '{message} Set {option}.': '{message:text}请选择{option:label}。',
  '{message} Upload the file again and set {option} {values}.':
    '{message:text}请重新上传文件，并选择{option:label}：{values}。',
  '{message} Upload the file again and set {option}.': '{message:text}请重新上传文件，并选择{option:label}。',
  '{mostUnfinished} statement files are not imported yet. Import some of them first, or wait a day.':
    '有 {mostUnfinished} 个对账单文件尚未导入，请先导入一些，或等一天。',
  '{name} belongs to a statement with other lines': '{name} 属于另一份流水不同的对账单',
  '{name} belongs to another statement of the account': '{name} 属于该账户的另一份对账单',
  '{name} belongs to other statements of the account': '{name} 属于该账户的其他对账单',
  '{name} needs Amt, and CdtDbtInd with CRDT or DBIT': '{name} 须有 Amt，以及值为 CRDT 或 DBIT 的 CdtDbtInd',
  '{owner_id} has claimed {most_per_day} users today, the maximum per day.': [
    '{owner_id:person}今天已领取 {most_per_day} 位客户，达到每日上限。',
    '{owner_id:person} has claimed {most_per_day} people today, the maximum per day.',
  ],
  '{owner_id} held this user before, and can claim it again {hold_off_days} days after the release.': [
    '{owner_id:person}曾跟进该客户，释放 {hold_off_days} 天后才能再次领取。',
    '{owner_id:person} held this person before, and can claim them again {hold_off_days} days after the release.',
  ],
  '{owner_id} holds {most_held} users, the maximum.': [
    '{owner_id:person}已有 {most_held} 位客户，达到上限。',
    '{owner_id:person} holds {most_held} people, the maximum.',
  ],
  '{param} {reason}: a lower one takes the permission finance.':
    '{param:label}{reason:text}，更低的由财务处理。',
  '{price} cannot be reinstated: the order is {status}, and {most} of it is written off.':
    '不能恢复 {price:money}：订单{status:word}，已核销 {most:money}。',
  '{price} cannot be written off: the order is {status} and owes {owed}.':
    '不能核销 {price:money}：订单{status:word}，待付 {owed:money}。',
  '{reason} Perhaps {guesses}.': '{reason:text}可能是：{guesses}。',
  '{receipt_num} belongs to another payment: use another number, or void it first':
    '{receipt_num} 属于另一笔收款：请换一个号码，或先作废那笔收款',
  '{received} of {bytes} bytes were uploaded. Upload the rest of the file first.':
    '已上传 {received}/{bytes} 字节，请先上传文件的其余部分。',
  '{underWay} exports are in progress. Wait until one ends.':
    '有 {underWay} 个导出正在进行，请等其中一个完成。',
  'can be read as two different days: write it as YYYY-MM-DD': [
    '可读作两个不同的日期：请写作年-月-日，如 2026-10-31',
    'can be read as two different days: write it as 2026-10-31',
  ],
  'A column that identifies people is missing: a mobile number, an e-mail address, or user_id.': [
    '缺少用于识别客户的列：手机号、邮箱或客户编号。',
    'A column that identifies people is missing: a mobile number, an e-mail address, or the person id.',
  ],
  'The rows of the file were archived for their age. Their cells no longer exist.':
    '该文件的行因时间较久已归档，单元格内容不再保留。',
  'is in the future': '晚于现在',
  'must have at most {longText} characters': '最多 {longText} 个字符',
  'is empty: a row needs a mobile number or an e-mail address': '为空：每行须有手机号或邮箱',
  'looks like a number of calling code {looksLike}: confirm that, or add the code':
    '像是区号 {looksLike} 的号码：请确认，或补上区号',
  'has the calling code {area_code}, but the other column says {given}':
    '的区号是 {area_code}，但另一列的区号是 {given}',
  'would be number {length} of the person: leave two': '将是此人的第 {length} 个号码：请只留两个',
  'has the tag {name}, but there is no such tag group': '有标签 {name}，但没有该标签组',
  'has no fitting value for the tag {name}: write {name} = yes':
    '的标签 {name} 没有合适的值：请写作 {name} = 是',
  'has no fitting value for the tag {name}: write {name} = 10':
    '的标签 {name} 没有合适的值：请写作 {name} = 10',
  'has no fitting value for the tag {name}: write {name} = …':
    '的标签 {name} 没有合适的值：请写作 {name} = …',
  'names no course: {value}. Choose one, or leave it empty': '没有课程 {value}，请选择一个，或留空',
  'names no member of staff: {value}. Choose one, or leave it empty': '没有员工 {value}，请选择一位，或留空',
  'names no tag group: {value}. Choose one, or leave it empty': '没有标签组 {value}，请选择一个，或留空',
  'The records of the batch were archived for their age, so it can no longer be undone or explained.':
    '该批记录因时间较久已归档，不能再撤销或查看。',
  'must be a calling code': '须为国际区号',
  'is too long: correct the file itself and upload it again': '过多：请直接修改文件后重新上传',
  'must be day_first or month_first': [
    '须说明日在前还是月在前',
    'must say whether the day or the month comes first',
  ],
  'The meaning of {each} in {column} must be day_first or month_first.': [
    '{column:label}中 {each} 的含义须说明日在前还是月在前。',
    'The meaning of {each} in {column:label} must say whether the day or the month comes first.',
  ],
  'The meaning of {each} in {column} must be a calling code.': '{column:label}中 {each} 的含义须为国际区号。',
  'The meaning of {each} in {column} must be text.': '{column:label}中 {each} 的含义须为文字。',
  'The service is read-only for now.': '系统暂时只能查看，不能修改。',
  'The account lacks the permission finance, which a mail to a payer takes.': [
    '给付款方发邮件由财务处理。',
    'Only finance can send a mail to a payer.',
  ],
  'is not a mobile number of calling code {area_code}': '不是区号 {area_code} 的手机号',
  'Row {row} cannot be read: {fault}.': '第 {row} 行无法读取：{fault:text}。',
  'The file is a web page or XML, not a table. Open it in Excel or WPS and save it as .xlsx or CSV.':
    '文件是网页或 XML，不是表格。请用 Excel 或 WPS 打开，另存为 .xlsx 或 CSV。',
  'The file has contact cards (vCard), not a table. Open them in Google Contacts or Outlook and export them as CSV.':
    '文件是名片（vCard），不是表格。请在 Google 通讯录或 Outlook 中打开，导出为 CSV。',
  'The workbook has a password. Open it, remove the password and save it again.':
    '工作簿设有密码。请打开并取消密码，再保存。',
  'The file is a workbook of Excel 97–2003 (.xls). Open it in Excel or WPS and save it as .xlsx or CSV.':
    '文件是 Excel 97–2003 工作簿（.xls）。请用 Excel 或 WPS 打开，另存为 .xlsx 或 CSV。',
  'Row {headerRow} is empty or missing: it cannot be the header row.':
    '第 {headerRow} 行为空或不存在，不能作为表头。',
  'the line is not JSON': '该行不是 JSON',
  'the line is not a JSON object': '该行不是 JSON 对象',
  'The sheet has more than {mostMerges} merged cells.': '工作表的合并单元格超过 {mostMerges} 个。',
  'is one of the merged cells {range}: split them': '属于合并单元格 {range}，请拆分',
  'The file is not an XLSX workbook. Open it and save it as .xlsx or CSV.':
    '文件不是 XLSX 工作簿。请打开并另存为 .xlsx 或 CSV。',
  'The service sends no mail: pass the link on.': '系统没有设置发送邮件，请自行转发链接。',
  'No e-mail address of the recipient is known.': '没有收件人的邮箱。',
  'line {line} has a quoted cell that does not end': '第 {line} 行有带引号的单元格没有结束',
  'line {line} has a quote in a quoted cell that is not doubled':
    '第 {line} 行带引号的单元格中有未成对的引号',
  'Row {row}: {fault}.': '第 {row} 行：{fault:text}。',
  'the row has {cells} cells under a header of {width}': '该行有 {cells} 个单元格，而表头有 {width} 个',
}
