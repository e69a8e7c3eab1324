import { fromMCPTool } from "../index.js";
import { native } from "../js/binding.js";
import { memoryClient, tools } from "./support/catalogs.mjs";
const list = await tools(100); const client = memoryClient(list);
let seen=0;
const fresh=()=>{seen++; return list.map(({inputSchema,name})=>({name,inputSchema:{...inputSchema,title:`t${seen}`}}));};
const N=+process.argv[2]||60;
for(let i=0;i<20;i++) fresh().map(t=>fromMCPTool(t,client).parameters._def);
let t0=0,t1=0,t2=0,t3=0,t4=0;
for(let i=0;i<N;i++){ const f=fresh(); let a=performance.now(); const ts=f.map(t=>fromMCPTool(t,client)); let b=performance.now(); ts.map(t=>t.parameters._def); let c=performance.now(); 
 t0+=b-a;t1+=c-b;
 const g=fresh().map(x=>JSON.stringify(x.inputSchema)); a=performance.now(); const ss=g.map(x=>new native.InputSchema(x)); b=performance.now(); const ds=ss.map(s=>s.descriptor()); c=performance.now(); ss.map(s=>s.validate("{}")); const d=performance.now(); t2+=b-a;t3+=c-b;t4+=d-c;
}
console.log("fromMCPTool",t0/N,"parameters",t1/N,"| InputSchema",t2/N,"descriptor",t3/N,"validate",t4/N, "ms per 100");
