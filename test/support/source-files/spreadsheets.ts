import {
  book,
  books,
  gbk,
  latin,
  type SourceFile,
  separated,
  serial,
  utf16,
  withMark,
} from './source-file.ts'

const shortened = 'was shortened by Excel'

export const spreadsheets: SourceFile[] = [
  {
    source: 'Excel, list of a fair',
    facts: 'Title and notes above the headers; title cells merged',
    name: '秋季招生会.xlsx',
    content: book(
      [
        ['秋季招生会 报名名单', null, null, null, null],
        ['负责人：李雷', null, null, '日期：2026-05-01', null],
        ['姓名', '手机', '邮箱', '咨询日期', '课程'],
        ['王小明', '138 0013 8040', 'xm@example.cn', { date: serial('2026-05-01') }, 'EMBA'],
        ['张伟', '1.39E+10', '', { date: serial('2026-05-01') }, 'EMBA'],
      ],
      { merges: ['A1:E1'] },
    ),
    leads: [
      {
        ...{ name: '王小明', mobile: '86 13800138040', email: 'xm@example.cn', time: '2026-05-01 00:00:00' },
        lead: { course_code: 'EMBA' },
      },
    ],
    rejects: { 5: `column 手机: ${shortened}` },
  },
  {
    source: 'Excel, two rows of headers',
    facts: '家长 and 学员 above 姓名 and 手机; merged across and down',
    name: '名单.xlsx',
    content: book(
      [
        ['序', '学员', null, '家长', null],
        [null, '姓名', '生日', '称呼', '手机'],
        [1, '赵一', { date: serial('2012-03-04') }, '赵先生', '13800138041'],
      ],
      { merges: ['A1:A2', 'B1:C1', 'D1:E1'] },
    ),
    leads: [{ name: '赵一', mobile: '86 13800138041', birthday: '2012-03-04' }],
  },
  {
    source: 'Excel, siblings in merged cells',
    facts: 'One mobile for two children, in a merged cell',
    name: '兄弟.xlsx',
    content: book(
      [
        ['家长手机', '来源', '备注'],
        ['13800138042', '官网', '大宝：钢琴'],
        [null, null, '二宝：围棋'],
      ],
      { merges: ['A2:A3', 'B2:B3'] },
    ),
    leads: [
      { mobile: '86 13800138042', note: '大宝：钢琴', lead: { utm_source: '官网' } },
      { mobile: '86 13800138042', note: '二宝：围棋', lead: { utm_source: '官网' } },
    ],
  },
  {
    source: 'Excel, first sheet hidden',
    facts: 'A hidden sheet with choices comes first, the list second',
    name: '模板.xlsx',
    content: books([
      { name: '选项', state: 'hidden', rows: [['手机'], ['13800138043']] },
      {
        name: '名单',
        rows: [
          ['姓名', '手机'],
          ['李娜', '13800138044'],
        ],
      },
    ]),
    leads: [{ name: '李娜', mobile: '86 13800138044' }],
  },
  {
    source: 'Excel, numbers as numbers',
    facts: 'Mobile as a number, the day as a number of days, a formula with its result',
    name: 'numbers.xlsx',
    content: book([
      ['姓名', '手机', '咨询日期', '微信'],
      [
        { xml: (at) => `<c r="${at}" t="str"><f>A9&amp;B9</f><v>周建国</v></c>` },
        13_800_138_045,
        { date: serial('2026-05-01 09:30') },
        'zjg',
      ],
    ]),
    leads: [{ name: '周建国', mobile: '86 13800138045', wechat: 'zjg', time: '2026-05-01 09:30:00' }],
  },
  {
    source: 'Excel for Mac, days from 1904',
    facts: 'The workbook counts days from 1904',
    name: 'mac.xlsx',
    content: book(
      [
        ['Name', 'Mobile', 'Created'],
        ['Mei', '+8613800138046', { date: serial('2026-05-01') - 1462 }],
      ],
      {},
      { date1904: true },
    ),
    leads: [{ name: 'Mei', mobile: '86 13800138046', time: '2026-05-01 00:00:00' }],
  },
  {
    source: 'Excel, faulty formulas',
    facts: '#N/A in the mobile of one row, a formula that was never calculated in another',
    name: 'vlookup.xlsx',
    content: book([
      ['姓名', '手机'],
      ['林芳', '13800138047'],
      ['甲', { xml: (at) => `<c r="${at}" t="e"><f>VLOOKUP(A3,X,2)</f><v>#N/A</v></c>` }],
      ['乙', { xml: (at) => `<c r="${at}"><f>A4</f></c>` }],
    ]),
    leads: [{ name: '林芳', mobile: '86 13800138047' }],
    rejects: {
      3: 'column 手机: holds the error #N/A',
      4: 'column 手机: holds a formula without a stored value',
    },
  },
  {
    source: 'Excel, saved as CSV',
    facts: 'Excel shortened the numbers of two rows; the second still has all digits',
    name: 'saved.csv',
    content: gbk(
      separated([
        ['姓名', '手机'],
        ['张伟', '1.39E+10'],
        ['李雷雷', '1.3900138048E+10'],
        ['王五', '13,900,138,049'],
      ]),
    ),
    leads: [
      { name: '李雷雷', mobile: '86 13900138048' },
      { name: '王五', mobile: '86 13900138049' },
    ],
    rejects: { 2: `column 手机: ${shortened}` },
  },
  {
    source: 'Excel, Unicode text',
    facts: 'UTF-16 with mark, tabs, named .txt',
    name: '名单.txt',
    content: utf16(
      separated(
        [
          ['姓名', '手机', '备注'],
          ['陈晓明', '13800138050', '“周末”'],
        ],
        '\t',
      ),
    ),
    leads: [{ name: '陈晓明', mobile: '86 13800138050', note: '“周末”' }],
  },
  {
    source: 'Excel, German',
    facts: 'Windows-1252, semicolons; days with dots; `sep=;` first',
    name: 'kontakte.csv',
    content: latin(
      `sep=;\r\n${separated(
        [
          ['Vorname', 'Nachname', 'E-Mail', 'Mobil', 'Datum', 'Firma'],
          ['Jörg', 'Weiß', 'weiss@example.com', '+49 151 23456781', '13.05.2026', 'Büro Süd'],
        ],
        ';',
      )}`,
    ),
    leads: [
      {
        ...{ first_name: 'Jörg', last_name: 'Weiß', email: 'weiss@example.com', mobile: '49 15123456781' },
        ...{ time: '2026-05-13 00:00:00', lead: { company_name: 'Büro Süd' } },
      },
    ],
  },
  {
    source: 'Excel 97–2003',
    facts: 'A .xls workbook: refused with the one step that helps',
    name: 'old.xls',
    content: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2048)]),
    refused: 'save it as .xlsx or CSV',
  },
  {
    source: 'Management system, HTML named .xls',
    facts: 'An HTML table: refused with the one step that helps',
    name: 'export.xls',
    content: '<html><table><tr><td>手机</td></tr><tr><td>13800138051</td></tr></table></html>',
    refused: 'save it as .xlsx or CSV',
  },
  {
    source: 'Management system, text named .xls',
    facts: 'GBK, tabs, named .xls',
    name: '导出.xls',
    content: gbk(
      separated(
        [
          ['客户姓名', '联系电话', '咨询课程', '所属顾问'],
          ['徐建国', '13800138052', '金融', '韩梅梅'],
        ],
        '\t',
      ),
    ),
    leads: [{ name: '徐建国', mobile: '86 13800138052', owners: ['韩梅梅'], lead: { course_code: 'MF' } }],
  },
  {
    source: 'Excel with a password',
    facts: 'An encrypted workbook: refused with the one step that helps',
    name: 'secret.xlsx',
    content: Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(1024),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    refused: 'remove the password',
  },
  {
    source: 'Text editor, no headers',
    facts: 'Names and numbers from the first line on',
    name: 'paste.csv',
    content: separated([
      ['王小明', '13800138053'],
      ['李娜', '13800138054'],
    ]),
    options: { mapping: { A: 'name', B: 'mobile' } },
    leads: [
      { name: '王小明', mobile: '86 13800138053' },
      { name: '李娜', mobile: '86 13800138054' },
    ],
  },
  {
    source: 'Text editor, damaged lines',
    facts: 'A quote that does not end, and a line with one cell too many',
    name: 'damaged.csv',
    content:
      '姓名,手机,备注\n林芳,13800138055,好\n"王五,13800138056,开头的引号\n周建国,13800138058,好\n赵六,13800138057,多了,一格\n',
    leads: [
      { name: '林芳', mobile: '86 13800138055', note: '好' },
      { name: '周建国', mobile: '86 13800138058', note: '好' },
    ],
    rejects: { 3: 'a quoted cell that does not end', 5: 'the row has 4 cells under a header of 3' },
  },
  {
    source: 'Text editor of an old Mac',
    facts: 'Lines end in a carriage return alone',
    name: 'mac.csv',
    content: separated(
      [
        ['Name', 'Phone'],
        ['Mei', '13800138059'],
      ],
      ',',
      '\r',
    ),
    leads: [{ name: 'Mei', mobile: '86 13800138059' }],
  },
  {
    source: 'System export, protected numbers',
    facts: '`="139…"`, `\'139…`, `tel:`, `p:+86…`, numbers in brackets',
    name: 'protected.csv',
    content: withMark(
      '姓名,手机\n甲,"=""13800138060"""\n乙,\'13800138061\n丙,tel:13800138062\n丁,p:+8613800138063\n戊,(+86) 138-0013-8064\n',
    ),
    leads: [
      { name: '甲', mobile: '86 13800138060' },
      { name: '乙', mobile: '86 13800138061' },
      { name: '丙', mobile: '86 13800138062' },
      { name: '丁', mobile: '86 13800138063' },
      { name: '戊', mobile: '86 13800138064' },
    ],
  },
  {
    source: 'System export, masked numbers',
    facts: '`138****8065`, an extension, a number too short, one of repeated digits',
    name: 'masked.csv',
    content: separated([
      ['姓名', '手机'],
      ['甲', '138****8065'],
      ['乙', '13800138065 转 3'],
      ['丙', '1380013'],
      ['丁', '11111111111'],
      ['戊', '13800138066'],
    ]),
    leads: [{ name: '戊', mobile: '86 13800138066' }],
    rejects: {
      2: 'column 手机: is masked',
      3: 'column 手机: has the extension 3',
      4: 'column 手机: is not a mobile number of CN (7 digits)',
      5: 'column 手机: is not a mobile number of CN (11 digits)',
    },
  },
  {
    source: 'Numbers of several countries without plus',
    facts: '852…, 886…, 1415…: the plan asks before it believes them',
    name: 'abroad.csv',
    content: separated([
      ['姓名', '手机'],
      ['甲', '85291234568'],
      ['乙', '886-912-345-679'],
      ['丙', '14155552699'],
      ['丁', '13800138067'],
    ]),
    options: { values: { mobile: { 852: '852' } } },
    leads: [
      { name: '甲', mobile: '852 91234568' },
      { name: '丁', mobile: '86 13800138067' },
    ],
    rejects: {
      3: 'looks like a number of calling code 886',
      4: 'column 手机: looks like a number of calling code 1',
    },
  },
  {
    source: 'Two numbers in a cell',
    facts: '`/`, `、` and a line break between them; a landline as the second',
    name: 'two.csv',
    content: separated([
      ['姓名', '联系电话'],
      ['零', '+44 (0)7400 123456'],
      ['甲', '13800138068/13800138069'],
      ['乙', '13800138070、13800138071'],
      ['丙', '13800138072\n13800138073'],
    ]),
    leads: [
      { name: '零', mobile: '44 7400123456' },
      { name: '甲', mobile: '86 13800138068', second: '86 13800138069' },
      { name: '乙', mobile: '86 13800138070', second: '86 13800138071' },
      { name: '丙', mobile: '86 13800138072', second: '86 13800138073' },
    ],
  },
  {
    source: 'Counsellors’ own list',
    facts: '王老师;李老师, an adviser who does not exist, an unknown course',
    name: '跟进表.csv',
    content: separated([
      ['姓名', '手机', '顾问', '课程'],
      ['甲', '13800138074', '王老师;李雷', 'Executive MBA'],
      ['乙', '13800138075', '赵磊', 'EMBA'],
      ['丙', '13800138076', '韩梅梅', '插花'],
    ]),
    leads: [
      { name: '甲', mobile: '86 13800138074', owners: ['王芳', '李雷'], lead: { course_code: 'EMBA' } },
    ],
    rejects: { 3: 'column 顾问: names no member of staff: 赵磊', 4: 'column 课程: names no course: 插花' },
  },
  {
    source: 'List with repeated rows and empty ones',
    facts: 'A row twice, rows of blanks, the same person with another question',
    name: 'repeated.csv',
    content: separated([
      ['姓名', '手机', '备注'],
      ['甲', '13800138077', '一'],
      ['', '', ''],
      ['甲', '138 0013 8077', '一'],
      ['甲', '13800138077', '二'],
      ['   ', '', ''],
    ]),
    leads: [
      { name: '甲', mobile: '86 13800138077', note: '一' },
      { name: '甲', mobile: '86 13800138077', note: '二' },
    ],
    repeats: 1,
  },
  {
    source: 'List with columns that mean nothing here',
    facts: 'Country, ad_id, 性别, 身份证: a name alone makes no column an id',
    name: 'wide.csv',
    content: separated([
      ['No.', 'Name', 'Mobile', 'Country', 'ad_id', '性别', 'Companny'],
      [1, 'Mei', '+8613800138078', 'China', '77', '女', 'Harbour'],
    ]),
    leads: [{ name: 'Mei', mobile: '86 13800138078', lead: { company_name: 'Harbour' } }],
  },
]
