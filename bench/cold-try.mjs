import { createAgent } from "@rejelly/core";
import { equipMCP } from "../index.js";
import { memoryClient, tools } from "./support/catalogs.mjs";
const list = await tools(1000);
let seen=0;
const fresh=()=>{seen++;return memoryClient([{...list[0],description:`${list[0].description} ${seen}`},...list.slice(1)]);};
const N=+process.argv[2]||60;
const run=()=>createAgent({id:"cold",handler:()=>equipMCP(fresh(),{clientId:"bench",maxItems:1000})})();
const s=[];
for(let i=0;i<N;i++){globalThis.gc?.({type:"minor"});const a=performance.now();await run();s.push(performance.now()-a);}
s.splice(0,10);s.sort((a,b)=>a-b);console.log("min",s[0].toFixed(1),"p25",s[s.length>>2].toFixed(1),"p50",s[s.length>>1].toFixed(1));
