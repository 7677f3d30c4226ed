import { book, gbk, quoted, type SourceFile, separated, serial, withMark } from './source-file.ts'

export const forms: SourceFile[] = [
  {
    source: 'Google Forms, American account',
    facts: 'CSV; month/day/year; the questions are the headers',
    name: 'Open day (Responses).csv',
    content: separated([
      [
        'Timestamp',
        'Your name',
        'Email Address',
        'What is your mobile number?',
        'Which programme interests you?',
      ],
      ['5/13/2026 9:30:00', 'Mei Lin', 'mei@example.com', '+86 13800138020', 'EMBA'],
      ['5/1/2026 9:30:00', 'Bo Chen', 'bo@example.com', '+86 13800138021', 'MF'],
    ]),
    options: { mapping: { 'Which programme interests you?': 'course_code' } },
    leads: [
      {
        ...{
          name: 'Mei Lin',
          email: 'mei@example.com',
          mobile: '86 13800138020',
          time: '2026-05-13 09:30:00',
        },
        lead: { course_code: 'EMBA' },
      },
      {
        ...{
          name: 'Bo Chen',
          email: 'bo@example.com',
          mobile: '86 13800138021',
          time: '2026-05-01 09:30:00',
        },
        lead: { course_code: 'MF' },
      },
    ],
  },
  {
    source: 'Google Forms, Chinese account',
    facts: 'CSV; `2026/05/01 9:30:00 上午 GMT+8`',
    name: '报名表.csv',
    content: separated([
      ['时间戳记', '姓名', '手机号码', '电子邮件地址'],
      ['2026/05/01 9:30:00 上午 GMT+8', '王小明', '13800138022', 'xm@example.cn'],
      ['2026/05/01 3:05:00 下午 GMT+8', '李娜', '13800138023', 'na@example.cn'],
    ]),
    leads: [
      { name: '王小明', mobile: '86 13800138022', email: 'xm@example.cn', time: '2026-05-01 09:30:00' },
      { name: '李娜', mobile: '86 13800138023', email: 'na@example.cn', time: '2026-05-01 15:05:00' },
    ],
  },
  {
    source: '问卷星 (Wenjuanxing)',
    facts: 'XLSX; numbered questions as headers; technical columns first',
    name: '问卷_按文本.xlsx',
    content: book([
      [
        '序号',
        '提交答卷时间',
        '所用时间',
        '来源',
        '来源详情',
        '来自IP',
        '1、您的姓名',
        '2、您的手机号',
        '3、您想了解什么？',
      ],
      [
        1,
        '2026/5/1 9:30:11',
        '35秒',
        '微信',
        '直接访问',
        '1.2.3.4(上海)',
        '周建国',
        '13800138024',
        '学费和课表',
      ],
    ]),
    leads: [
      {
        ...{ name: '周建国', mobile: '86 13800138024', time: '2026-05-01 09:30:11' },
        lead: {
          utm_source: '微信',
          ...{ form1_name: '3、您想了解什么？', form1_value: '学费和课表' },
        },
      },
    ],
  },
  {
    source: '金数据 (Jinshuju)',
    facts: 'CSV, UTF-8 with mark; 序号 and 提交时间; other headers are questions',
    name: '金数据.csv',
    content: withMark(
      separated([
        [
          '序号',
          '姓名',
          '手机',
          '希望哪天上课',
          '提交人',
          '提交时间',
          '修改时间',
          '填写设备',
          '操作系统',
          '浏览器',
          'IP',
        ],
        [
          12,
          '林芳',
          '13800138025',
          '周末',
          '',
          '2026-05-01 09:30:00',
          '2026-05-01 09:30:00',
          '手机',
          'iOS',
          'Safari',
          '1.2.3.4',
        ],
      ]),
    ),
    leads: [
      {
        ...{ name: '林芳', mobile: '86 13800138025', time: '2026-05-01 09:30:00' },
        lead: { form1_name: '希望哪天上课', form1_value: '周末' },
      },
    ],
  },
  {
    source: '腾讯文档 收集表 (Tencent Docs form)',
    facts: 'XLSX; 提交者（自动） and 提交时间（自动）; numbers as numbers',
    name: '收集结果.xlsx',
    content: book([
      ['提交者（自动）', '提交时间（自动）', '姓名（必填）', '手机号（必填）', '微信号'],
      ['匿名', '2026年5月1日 09:30', '陈晓明', 13_800_138_026, 'xm_chen'],
    ]),
    leads: [{ name: '陈晓明', mobile: '86 13800138026', wechat: 'xm_chen', time: '2026-05-01 09:30:00' }],
  },
  {
    source: '飞书多维表格 (Feishu Base)',
    facts: 'CSV; dates with slashes; several people in a cell, separated by commas',
    name: '线索池.csv',
    content: withMark(
      separated([
        ['姓名', '联系方式', '线索来源', '跟进人', '创建时间', '跟进记录'],
        ['李娜', '13800138027', '官网', '李雷,王芳', '2026/05/01 09:30', '第一次沟通\n已发资料'],
      ]),
    ),
    leads: [
      {
        ...{ name: '李娜', mobile: '86 13800138027', owners: ['李雷', '王芳'], time: '2026-05-01 09:30:00' },
        ...{ note: '第一次沟通\n已发资料', lead: { utm_source: '官网' } },
      },
    ],
  },
  {
    source: 'Typeform',
    facts: 'CSV; `#` is the id of the answer; whole questions as headers; two times at the end',
    name: 'responses.csv',
    content: separated([
      [
        '#',
        "What's your *first name*?",
        "What's your *last name*?",
        'Email',
        'Phone number',
        'Response Type',
        'Start Date (UTC)',
        'Stage Date (UTC)',
        'Submit Date (UTC)',
        'Network ID',
        'Tags',
      ],
      [
        'k3x9',
        'Sara',
        'Nilsson',
        'sara@example.com',
        "'+46701234568",
        'completed',
        '2026-05-01 01:28:00',
        '',
        '2026-05-01 01:30:00',
        '9f',
        '',
      ],
    ]),
    leads: [
      {
        ...{ first_name: 'Sara', last_name: 'Nilsson', email: 'sara@example.com', mobile: '46 701234568' },
        ...{ time: '2026-05-01 09:30:00', lead: { entry_id: 'k3x9' } },
      },
    ],
  },
  {
    source: 'Microsoft Forms',
    facts: 'XLSX; times as numbers of days; `Email` and `Name` are "anonymous"',
    name: 'Open day(1-2).xlsx',
    content: book([
      ['ID', 'Start time', 'Completion time', 'Email', 'Name', 'Full name', 'Mobile phone', 'E-mail address'],
      [
        1,
        { date: serial('2026-05-01 09:28') },
        { date: serial('2026-05-01 09:30') },
        'anonymous',
        '',
        'Mei Lin',
        '+86 138 0013 8028',
        'mei@example.com',
      ],
    ]),
    leads: [
      {
        ...{
          name: 'Mei Lin',
          mobile: '86 13800138028',
          email: 'mei@example.com',
          time: '2026-05-01 09:30:00',
        },
      },
    ],
  },
  {
    source: 'WordPress, Contact Form 7',
    facts: 'CSV; field names with hyphens; a message with line breaks and quotes',
    name: 'contact-form.csv',
    content: quoted([
      ['your-name', 'your-email', 'your-phone', 'your-message', 'submitted_at'],
      [
        'Tom "T" Baker',
        'tom@example.com',
        '0044 7400 123457',
        'Hello,\nis there a "weekend" class?',
        '2026-05-01 09:30:00',
      ],
    ]),
    leads: [
      {
        ...{ name: 'Tom "T" Baker', email: 'tom@example.com', mobile: '44 7400123457' },
        ...{ note: 'Hello,\nis there a "weekend" class?', time: '2026-05-01 09:30:00' },
      },
    ],
  },
  {
    source: 'Eventbrite attendees',
    facts: 'CSV; order and ticket columns around the person; `Cell Phone`',
    name: 'report-2026-05-01.csv',
    content: separated([
      [
        'Order #',
        'Order Date',
        'First Name',
        'Last Name',
        'Email',
        'Quantity',
        'Ticket Type',
        'Event Name',
        'Cell Phone',
        'Company',
        'Job Title',
      ],
      [
        '1099',
        '2026-05-01 09:30:00+08:00',
        'Ivo',
        'Horak',
        'ivo@example.com',
        1,
        'General',
        'Open day 2026',
        '+420601123457',
        'Vltava',
        'CTO',
      ],
    ]),
    leads: [
      {
        ...{ first_name: 'Ivo', last_name: 'Horak', email: 'ivo@example.com', mobile: '420 601123457' },
        ...{ time: '2026-05-01 09:30:00' },
        lead: { campaign: 'Open day 2026', company_name: 'Vltava', job_title: 'CTO' },
      },
    ],
  },
  {
    source: 'Zoom registrants',
    facts: 'CSV; a table about the meeting above the people',
    name: 'registration_report.csv',
    content: `${separated([
      ['Registration Report'],
      ['Report generated time', '05/02/2026 10:00:00 AM'],
      ['Topic', 'ID', 'Scheduled time'],
      ['Open day', '811 2222 3333', '05/10/2026 07:00:00 PM'],
    ])}${separated([
      ['First Name', 'Last Name', 'Email', 'Registration time', 'Approval status', 'Phone'],
      ['Lea', 'Roux', 'lea@example.com', '05/13/2026 09:30:00 AM', 'approved', '+33612345670'],
    ])}`,
    leads: [
      {
        ...{ first_name: 'Lea', last_name: 'Roux', email: 'lea@example.com', mobile: '33 612345670' },
        time: '2026-05-13 09:30:00',
      },
    ],
  },
  {
    source: '有赞 / 微信小店 orders (web shop)',
    facts: 'GBK; a tab behind long numbers; 收货人 is the person',
    name: '订单.csv',
    content: gbk(
      separated([
        ['订单编号', '收货人', '收货人手机号', '下单时间', '商品名称'],
        ['E202605010001\t', '徐建国', '13800138029\t', '2026-05-01 09:30:00', '体验课'],
      ]),
    ),
    leads: [
      {
        ...{ name: '徐建国', mobile: '86 13800138029', time: '2026-05-01 09:30:00' },
      },
    ],
  },
]
