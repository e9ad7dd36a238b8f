// Generated from the command registry by 'cargo run -p svc-deploy-module -- generate'; do not edit.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;

namespace SvcDeploy
{
    /// <summary>The exported functions of the native library, one to one. Text is UTF-8 and ends with a zero byte.</summary>
    public static class Native
    {
        /// <summary>The version of the module that this file belongs to.</summary>
        public const string ModuleVersion = "0.1.0";

        private const string Library = "svc_deploy";
        private static readonly object Gate = new object();
        private static IntPtr handle;

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern uint svc_abi_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_core_monitor(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_monitor_log_alerts(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_monitor_metric_alerts(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_monitor_resource_health_alerts(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_iaas_private_endpoints(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_iaas_storage(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_iaas_bastion_host(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_paas_web(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_deployment(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_compare_deployment(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_export_settings(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_export_template(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_test_settings(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_new_settings(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_get_settings_schema(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern ulong svc_start_local_cloud(byte[] request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_next(ulong operation, uint timeoutMs, out IntPtr message);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_answer(ulong operation, byte[] answer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_cancel(ulong operation);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern int svc_operation_close(ulong operation);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] public static extern void svc_string_free(IntPtr text);

        /// <summary>Loads the library once per process; later calls, from any runspace, change nothing.</summary>
        /// <exception cref="DllNotFoundException">The file is missing, or is no library for this machine.</exception>
        public static void Load(string path)
        {
            lock (Gate)
            {
                if (handle != IntPtr.Zero) return;
                IntPtr loaded = NativeLibrary.Load(path);
                NativeLibrary.SetDllImportResolver(typeof(Native).Assembly, (name, assembly, search) => name == Library ? loaded : IntPtr.Zero);
                handle = loaded;
            }
        }
    }

    /// <summary>What Operation.Next found; the numbers are those of svc_operation_next.</summary>
    public enum PollResult
    {
        /// <summary>A message.</summary>
        Message = 0,
        /// <summary>Nothing within the time.</summary>
        Timeout = 1,
        /// <summary>The command has ended and all of its messages were taken.</summary>
        Finished = 2
    }

    /// <summary>One running command. It belongs to the thread of the pipeline that started it.</summary>
    public sealed class Operation : IDisposable
    {
        private readonly ulong id;

        /// <summary>The command.</summary>
        public string Command { get; }

        /// <summary>Starts a command with a request in JSON.</summary>
        public Operation(string command, string request)
        {
            Command = command;
            byte[] text = Encode(request);
            switch (command)
            {
                case "New-SvcCoreMonitor": id = Native.svc_new_core_monitor(text); break;
                case "New-SvcMonitorLogAlerts": id = Native.svc_new_monitor_log_alerts(text); break;
                case "New-SvcMonitorMetricAlerts": id = Native.svc_new_monitor_metric_alerts(text); break;
                case "New-SvcMonitorResourceHealthAlerts": id = Native.svc_new_monitor_resource_health_alerts(text); break;
                case "New-SvcIaasPrivateEndpoints": id = Native.svc_new_iaas_private_endpoints(text); break;
                case "New-SvcIaasStorage": id = Native.svc_new_iaas_storage(text); break;
                case "New-SvcIaasBastionHost": id = Native.svc_new_iaas_bastion_host(text); break;
                case "New-SvcPaasWeb": id = Native.svc_new_paas_web(text); break;
                case "New-SvcDeployment": id = Native.svc_new_deployment(text); break;
                case "Compare-SvcDeployment": id = Native.svc_compare_deployment(text); break;
                case "Export-SvcSettings": id = Native.svc_export_settings(text); break;
                case "Export-SvcTemplate": id = Native.svc_export_template(text); break;
                case "Test-SvcSettings": id = Native.svc_test_settings(text); break;
                case "New-SvcSettings": id = Native.svc_new_settings(text); break;
                case "Get-SvcSettingsSchema": id = Native.svc_get_settings_schema(text); break;
                case "Start-SvcLocalCloud": id = Native.svc_start_local_cloud(text); break;
                default: throw new ArgumentOutOfRangeException(nameof(command), command, "There is no such command.");
            }
        }

        /// <summary>Waits for the next message, at most so many milliseconds.</summary>
        public PollResult Next(uint timeoutMs, out string message)
        {
            message = null;
            int status = Check(Native.svc_operation_next(id, timeoutMs, out IntPtr text));
            if (status == (int)PollResult.Message)
            {
                try { message = Marshal.PtrToStringUTF8(text); }
                finally { Native.svc_string_free(text); }
            }
            return (PollResult)status;
        }

        /// <summary>Answers a message that has an id. An answer that is not taken is a defect, and silence would wait for ever.</summary>
        public void Answer(string answer) { Check(Native.svc_operation_answer(id, Encode(answer))); }

        /// <summary>Asks the command to stop and returns at once.</summary>
        public void Cancel() { Native.svc_operation_cancel(id); }

        /// <summary>Gives the operation back; cancels it when it still runs.</summary>
        public void Dispose() { Native.svc_operation_close(id); GC.SuppressFinalize(this); }

        /// <summary>A local cloud goes with the session that has started it.</summary>
        ~Operation() { if (id != 0) Native.svc_operation_close(id); }

        private static byte[] Encode(string text) { return Encoding.UTF8.GetBytes(text + '\0'); }

        private static int Check(int status)
        {
            if (status < 0) throw new InvalidOperationException("The library refuses a call for this operation (" + status + ").");
            return status;
        }
    }

    /// <summary>Text for people. Messages of servers and values of documents are in it, and must not move the cursor, turn the reading
    /// direction or command the pipeline that reads the log. Objects have them as they are.</summary>
    public static class ShownText
    {
        private static readonly Regex Misleading = new Regex(
            @"(?m)[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb-[\t\n]]|(?<=^[^\S\n]*):(?=:)|#(?=#[A-Za-z]*\[)",
            RegexOptions.CultureInvariant);

        /// <summary>The text with what would mislead as \u{...}.</summary>
        public static string Of(string text)
        {
            if (string.IsNullOrEmpty(text)) return "";
            text = text.Replace("\r\n", "\n");
            return Misleading.Replace(text, match => "\\u{" + ((int)match.Value[0]).ToString("x", CultureInfo.InvariantCulture) + "}");
        }
    }

    /// <summary>The publish names in settings documents, as a completion has to find them: in files that may be half written.</summary>
    public static class PublishNames
    {
        private static readonly Regex Blocks = new Regex(
            @"(^(?<in>[ \t]*)(- )?|[{,]\s*)""?publish""?[ \t]*:([ \t]*(#[^\n]*)?\n(\k<in>[ \t]+[^\n]*(\n|\z)|[ \t]*\n)+|\s*\{[^}]*\})",
            RegexOptions.Multiline | RegexOptions.CultureInvariant);
        private static readonly Regex Entries = new Regex(
            @"(^[ \t]*|[{,]\s*)""?\w+""?[ \t]*:\s+[""']?(?<name>[^\s""'#{}[\],][^\n""'#{},]*?)[""']?[ \t]*(?=$|[#,}])",
            RegexOptions.Multiline | RegexOptions.CultureInvariant);

        /// <summary>Those in the documents of a folder, each once, in the order of the alphabet.</summary>
        public static string[] InFolder(string folder)
        {
            var names = new SortedSet<string>(StringComparer.Ordinal);
            foreach (string file in Directory.GetFiles(folder))
            {
                string name = Path.GetFileName(file), extension = Path.GetExtension(file).ToLowerInvariant();
                if (name[0] == '_' || name[0] == '.' || Array.IndexOf(new[] { ".yml", ".yaml", ".json" }, extension) < 0) continue;
                foreach (string found in InText(File.ReadAllText(file))) names.Add(found);
            }
            return new List<string>(names).ToArray();
        }

        /// <summary>Those in the text of a document, YAML or JSON, in its order.</summary>
        public static IEnumerable<string> InText(string text)
        {
            foreach (Match block in Blocks.Matches(text.Replace("\r\n", "\n")))
            {
                string entries = block.Value.Substring(block.Value.IndexOf(':') + 1);
                foreach (Match entry in Entries.Matches(entries)) yield return entry.Groups["name"].Value;
            }
        }
    }

    /// <summary>What a failed command throws or writes: the error code, and where it belongs.</summary>
    public sealed class DeploymentException : Exception
    {
        /// <summary>How many findings the message has; all of them are in Findings.</summary>
        private const int FindingsShown = 20;

        /// <summary>One with a message alone, for tests that stand in for a command.</summary>
        public DeploymentException(string message) : this(message, new Hashtable()) { }

        /// <summary>The error of a message of the library. With listFailures the text has all of them, because the caller will see no other error.</summary>
        public DeploymentException(IDictionary message, bool listFailures) : this(ShownText.Of(Explain(message, listFailures)), message) { }

        private DeploymentException(string text, IDictionary message) : base(text)
        {
            Code = Svc.Member.Text(message, "code");
            ResourceId = Svc.Member.Text(message, "resourceId");
            RequestId = Svc.Member.Text(message, "requestId");
            Document = Svc.Member.Text(message, "document");
            Findings = Svc.Member.List(message, "findings", item => new Svc.Finding(item));
            Failures = Svc.Member.List(message, "failures", item => new Svc.Failure(item));
            Done = Svc.Member.List(message, "done", item => new Svc.DeployedResource(item, Svc.Member.Text(item, "action")));
        }

        /// <summary>Stable, as in SettingsInvalid; Azure's own code where Azure refused.</summary>
        public string Code { get; }
        /// <summary>The resource that failed, or null.</summary>
        public string ResourceId { get; }
        /// <summary>Azure's x-ms-request-id for a support case, or null.</summary>
        public string RequestId { get; }
        /// <summary>The document of a deployment that it is about: its path, or its number where it was an object; else null.</summary>
        public string Document { get; }
        /// <summary>The findings of SettingsInvalid.</summary>
        public Svc.Finding[] Findings { get; }
        /// <summary>What failed, of DeploymentFailed.</summary>
        public Svc.Failure[] Failures { get; }
        /// <summary>What the command had done when it failed, without Properties.</summary>
        public Svc.DeployedResource[] Done { get; }

        private static string Explain(IDictionary message, bool listFailures)
        {
            string text = Svc.Member.Text(message, "message") ?? "";
            Svc.Finding[] findings = Svc.Member.List(message, "findings", item => new Svc.Finding(item));
            if (findings.Length > FindingsShown)
            {
                int rest = text.IndexOf("\n[" + (FindingsShown + 1) + "] ", StringComparison.Ordinal);
                if (rest > 0) text = text.Substring(0, rest) + "\nand more: the property Findings of the exception has all that are told.";
            }
            if (!listFailures) return text;
            var lines = new List<string> { text };
            foreach (Svc.Failure failure in Svc.Member.List(message, "failures", item => new Svc.Failure(item))) lines.Add("[" + lines.Count + "] " + failure);
            return string.Join("\n", lines);
        }
    }
}

namespace Svc
{
    /// <summary>Reads the messages of the library.</summary>
    internal static class Member
    {
        /// <summary>Text, or null.</summary>
        internal static string Text(IDictionary message, string name)
        {
            object value = message[name];
            // What looks like a time has become one on the way.
            if (value is DateTime) return ((DateTime)value).ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
            return value == null ? null : Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        /// <summary>A whole number, or null.</summary>
        internal static long? Number(IDictionary message, string name)
        {
            object value = message[name];
            return value == null ? (long?)null : Convert.ToInt64(value, CultureInfo.InvariantCulture);
        }

        /// <summary>A list, empty where there is none.</summary>
        internal static T[] List<T>(IDictionary message, string name, Func<IDictionary, T> read)
        {
            var found = new List<T>();
            if (message[name] is IEnumerable items)
            {
                foreach (object item in items) { if (item is IDictionary table) found.Add(read(table)); }
            }
            return found.ToArray();
        }
    }

    /// <summary>A property of a planned action. Before and After are JSON text: PowerShell's own reader would turn text that looks like a date into one.</summary>
    public sealed class PropertyChange
    {
        /// <summary>From an item of changes.</summary>
        public PropertyChange(IDictionary message) : this(Member.Text(message, "path"), Member.Text(message, "before"), Member.Text(message, "after"), Member.Text(message, "origin"))
        {
            IsByPolicy = true.Equals(message["byPolicy"]);
        }

        internal PropertyChange(string path, string before, string after, string origin)
        {
            Path = path;
            Before = before;
            After = after;
            Origin = origin;
        }

        /// <summary>The property.</summary>
        public string Path { get; }
        /// <summary>What is there, or null.</summary>
        public string Before { get; }
        /// <summary>What is wanted, or null.</summary>
        public string After { get; }
        /// <summary>File, line and column of the document that says it; null where no document does.</summary>
        public string Origin { get; }
        /// <summary>Azure changes it by itself, by the policy that Origin names.</summary>
        public bool IsByPolicy { get; }

        /// <summary>What is wanted, in short.</summary>
        internal string Said()
        {
            string value = After ?? "(none)";
            return Regex.Replace(Path, @"^(properties|tags)\.", "") + ": " + (value.Length > 60 ? value.Substring(0, 60) + "..." : value);
        }

        /// <summary>The whole line.</summary>
        public override string ToString()
        {
            string line = Path + ": " + (Before ?? "(none)") + " -> " + (After ?? "(none)");
            return Origin == null ? line : line + "  (" + Origin + ")";
        }
    }

    /// <summary>How often an alert rule would have fired.</summary>
    public sealed class Rehearsal
    {
        /// <summary>From the member of an action.</summary>
        public Rehearsal(IDictionary message)
        {
            object fired = message["fired"], before = message["firedBefore"];
            Fired = fired == null ? (int?)null : Convert.ToInt32(fired, CultureInfo.InvariantCulture);
            FiredBefore = before == null ? (int?)null : Convert.ToInt32(before, CultureInfo.InvariantCulture);
            Minutes = Convert.ToInt32(message["minutes"], CultureInfo.InvariantCulture);
            Notifications = Convert.ToInt32(message["notifications"], CultureInfo.InvariantCulture);
            LastFired = Member.Text(message, "lastFired");
            Sampled = message["sampled"] is IDictionary;
            Reason = Member.Text(message, "reason");
            Sentence = Member.Text(message, "sentence");
        }

        /// <summary>How many alerts would have fired; null where that is not known.</summary>
        public int? Fired { get; }
        /// <summary>How many fire with the rule as it is, or null.</summary>
        public int? FiredBefore { get; }
        /// <summary>For how many minutes the condition was met.</summary>
        public int Minutes { get; }
        /// <summary>When the last alert would have fired (RFC 3339), or null.</summary>
        public string LastFired { get; }
        /// <summary>How many notifications would have been sent.</summary>
        public int Notifications { get; }
        /// <summary>Whether only some of the moments were looked at.</summary>
        public bool Sampled { get; }
        /// <summary>Why nothing is known, or why it never fires; else null.</summary>
        public string Reason { get; }
        /// <summary>All of it in a sentence.</summary>
        public string Sentence { get; }

        /// <summary>The sentence.</summary>
        public override string ToString() { return Sentence; }
    }

    /// <summary>What a command would do with a resource.</summary>
    public sealed class PlannedAction
    {
        /// <summary>From an action of a plan.</summary>
        public PlannedAction(IDictionary message) : this(message, Member.Text(message, "action")) { }

        /// <summary>From a message about a resource that stays as it is.</summary>
        public PlannedAction(IDictionary message, string action)
        {
            Action = action;
            Type = Member.Text(message, "type");
            Label = Member.Text(message, "label");
            FullName = Member.Text(message, "fullName");
            Name = Member.Text(message, "name");
            Id = Member.Text(message, "resourceId");
            ResourceGroup = Member.Text(message, "resourceGroup");
            Origin = Member.Text(message, "origin");
            Document = Member.Text(message, "document");
            Reason = Member.Text(message, "reason");
            IsOrphan = true.Equals(message["orphan"]);
            var rehearsal = message["rehearsal"] as IDictionary;
            Rehearsal = rehearsal == null ? null : new Rehearsal(rehearsal);
            string kept = Member.Text(message, "path");
            Changes = kept == null
                ? Member.List(message, "changes", item => new PropertyChange(item))
                : new[] { new PropertyChange(kept, Member.Text(message, "existing"), Member.Text(message, "wanted"), null) };
        }

        /// <summary>create, modify, delete, keep or unchanged.</summary>
        public string Action { get; }
        /// <summary>The type of the resource.</summary>
        public string Type { get; }
        /// <summary>What people call the type.</summary>
        public string Label { get; }
        /// <summary>The name of the resource.</summary>
        public string Name { get; }
        /// <summary>The name with those of its parents.</summary>
        public string FullName { get; }
        /// <summary>The resource group, or null.</summary>
        public string ResourceGroup { get; }
        /// <summary>The same by the name that the commands of Az have for it.</summary>
        public string ResourceGroupName { get { return ResourceGroup; } }
        /// <summary>The resource ID.</summary>
        public string Id { get; }
        /// <summary>The setting that it comes from, or null.</summary>
        public string Origin { get; }
        /// <summary>The document of a deployment, or null.</summary>
        public string Document { get; }
        /// <summary>Why something is kept as it is, or null.</summary>
        public string Reason { get; }
        /// <summary>Whether something is kept because it has left the documents.</summary>
        public bool IsOrphan { get; }
        /// <summary>How often the alert rule would have fired, or null.</summary>
        public Rehearsal Rehearsal { get; }
        /// <summary>What would be different.</summary>
        public PropertyChange[] Changes { get; }

        /// <summary>What people read of it: the action, and of what is created only the properties that the document says, in one line.</summary>
        public IEnumerable<string> Lines()
        {
            bool isInGroup = ResourceGroup != null && Type != "Microsoft.Resources/resourceGroups";
            yield return ToString() + (isInGroup ? " in '" + ResourceGroup + "'" : "");
            var said = new List<string>();
            foreach (PropertyChange change in Changes)
            {
                if (Action != "create") yield return "    " + change;
                else if (change.Origin != null) said.Add(change.Said());
            }
            if (said.Count > 0) yield return "    " + string.Join(", ", said);
            if (Rehearsal != null) yield return "    " + Rehearsal;
        }

        /// <summary>A sentence about the action.</summary>
        public override string ToString() { return Said() + " " + Label + " '" + FullName + "'"; }

        private string Said()
        {
            switch (Action)
            {
                case "modify": return "change";
                case "unchanged": return "up to date";
                default: return Action;
            }
        }
    }

    /// <summary>What exists against the documents. Nothing was changed for it.</summary>
    public sealed class Drift
    {
        /// <summary>From a message.</summary>
        public Drift(IDictionary message)
        {
            HasDifferences = true.Equals(message["hasDifferences"]);
            Differences = Member.List(message, "differences", item => new Difference(item));
            Kept = Member.List(message, "kept", item => new PlannedAction(item, "keep"));
            Unchanged = Convert.ToInt32(message["unchanged"], CultureInfo.InvariantCulture);
            Target = message["target"] as IDictionary ?? new Hashtable();
            Environment = Member.Text(message, "environment");
            Sentence = Member.Text(message, "sentence");
        }

        /// <summary>Whether anything differs.</summary>
        public bool HasDifferences { get; }
        /// <summary>Each property that differs, and each resource that is missing or too many.</summary>
        public Difference[] Differences { get; }
        /// <summary>What the documents want otherwise, or do not have, and what no run changes.</summary>
        public PlannedAction[] Kept { get; }
        /// <summary>How many resources are as the documents want them.</summary>
        public int Unchanged { get; }
        /// <summary>The subscription that was looked at.</summary>
        public IDictionary Target { get; }
        /// <summary>The environment that names were made for.</summary>
        public string Environment { get; }
        /// <summary>All of it in a sentence.</summary>
        public string Sentence { get; }

        /// <summary>The sentence.</summary>
        public override string ToString() { return Sentence; }
    }

    /// <summary>A property, or a resource, that is not what the documents say. Wanted and Existing are JSON text.</summary>
    public sealed class Difference
    {
        private readonly string sentence;

        /// <summary>From an item of differences.</summary>
        public Difference(IDictionary message)
        {
            var changed = message["changed"] as IDictionary ?? new Hashtable();
            Fingerprint = Member.Text(message, "fingerprint");
            Kind = Member.Text(message, "kind");
            Type = Member.Text(message, "type");
            Label = Member.Text(message, "label");
            Name = Member.Text(message, "name");
            FullName = Member.Text(message, "fullName");
            ResourceGroup = Member.Text(message, "resourceGroup");
            Id = Member.Text(message, "resourceId");
            Path = Member.Text(message, "path");
            Wanted = Member.Text(message, "wanted");
            Existing = Member.Text(message, "existing");
            Origin = Member.Text(message, "origin");
            File = Member.Text(message, "file");
            Line = Member.Number(message, "line");
            Column = Member.Number(message, "column");
            Document = Member.Text(message, "document");
            By = Member.Text(changed, "by");
            Client = Member.Text(changed, "client");
            Operation = Member.Text(changed, "operation");
            At = Member.Text(changed, "at");
            sentence = Member.Text(message, "sentence");
        }

        /// <summary>The same in every comparison, whatever the values are.</summary>
        public string Fingerprint { get; }
        /// <summary>changed, missing or surplus.</summary>
        public string Kind { get; }
        /// <summary>The type of the resource.</summary>
        public string Type { get; }
        /// <summary>What people call the type.</summary>
        public string Label { get; }
        /// <summary>The name of the resource.</summary>
        public string Name { get; }
        /// <summary>The name with those of its parents.</summary>
        public string FullName { get; }
        /// <summary>The resource group, or null.</summary>
        public string ResourceGroup { get; }
        /// <summary>The resource ID.</summary>
        public string Id { get; }
        /// <summary>The property; empty where it is the resource as a whole.</summary>
        public string Path { get; }
        /// <summary>What the documents or defaults want, or null.</summary>
        public string Wanted { get; }
        /// <summary>What exists, or null.</summary>
        public string Existing { get; }
        /// <summary>The setting, or null.</summary>
        public string Origin { get; }
        /// <summary>The file of the setting or of its resource, or null.</summary>
        public string File { get; }
        /// <summary>The line, or null.</summary>
        public long? Line { get; }
        /// <summary>The column, or null.</summary>
        public long? Column { get; }
        /// <summary>The document of a deployment, or null.</summary>
        public string Document { get; }
        /// <summary>Who has changed it; null where Azure does not tell.</summary>
        public string By { get; }
        /// <summary>With which client, or null.</summary>
        public string Client { get; }
        /// <summary>The operation, or null.</summary>
        public string Operation { get; }
        /// <summary>When (RFC 3339), or null.</summary>
        public string At { get; }

        /// <summary>The resource, and what is different.</summary>
        public override string ToString() { return Label + " '" + FullName + "': " + sentence; }
    }

    /// <summary>What a command has done with a resource.</summary>
    public sealed class DeployedResource
    {
        /// <summary>From a message about the resource.</summary>
        public DeployedResource(IDictionary message, string action)
        {
            Action = action;
            Type = Member.Text(message, "type");
            Label = Member.Text(message, "label");
            Name = Member.Text(message, "name");
            FullName = Member.Text(message, "fullName");
            ResourceGroup = Member.Text(message, "resourceGroup");
            Id = Member.Text(message, "resourceId");
            object seconds = message["seconds"];
            Seconds = seconds == null ? (double?)null : Convert.ToDouble(seconds, CultureInfo.InvariantCulture);
            Document = Member.Text(message, "document");
            Properties = message["properties"] as IDictionary ?? new Hashtable();
            var rehearsal = message["rehearsal"] as IDictionary;
            Rehearsal = rehearsal == null ? null : new Rehearsal(rehearsal);
        }

        /// <summary>create, modify, delete or unchanged.</summary>
        public string Action { get; }
        /// <summary>The type of the resource.</summary>
        public string Type { get; }
        /// <summary>What people call the type.</summary>
        public string Label { get; }
        /// <summary>The name of the resource.</summary>
        public string Name { get; }
        /// <summary>The name with those of its parents.</summary>
        public string FullName { get; }
        /// <summary>The resource group, or null.</summary>
        public string ResourceGroup { get; }
        /// <summary>The same by the name that the commands of Az have for it.</summary>
        public string ResourceGroupName { get { return ResourceGroup; } }
        /// <summary>The resource ID.</summary>
        public string Id { get; }
        /// <summary>Succeeded: what failed is an error and no such object. Scripts read it of deployments.</summary>
        public string ProvisioningState { get { return "Succeeded"; } }
        /// <summary>How long it took, or null.</summary>
        public double? Seconds { get; }
        /// <summary>The document of a deployment, or null.</summary>
        public string Document { get; }
        /// <summary>What only Azure knows, else empty.</summary>
        public IDictionary Properties { get; }
        /// <summary>How often the alert rule would have fired, or null: only of one that is up to date.</summary>
        public Rehearsal Rehearsal { get; }

        private string Said()
        {
            switch (Action)
            {
                case "create": return "created";
                case "modify": return "changed";
                case "delete": return "deleted";
                case "unchanged": return "up to date";
                default: return Action;
            }
        }

        /// <summary>A sentence about the resource.</summary>
        public override string ToString() { return Said() + " " + Label + " '" + FullName + "'"; }
    }

    /// <summary>A mistake in a document.</summary>
    public sealed class Finding
    {
        /// <summary>From an item of findings.</summary>
        public Finding(IDictionary message)
        {
            File = Member.Text(message, "file");
            Line = Member.Number(message, "line");
            Column = Member.Number(message, "column");
            Path = Member.Text(message, "path");
            Code = Member.Text(message, "code");
            Message = Member.Text(message, "message");
        }

        /// <summary>The file, or null.</summary>
        public string File { get; }
        /// <summary>The line, or null.</summary>
        public long? Line { get; }
        /// <summary>The column, or null.</summary>
        public long? Column { get; }
        /// <summary>The place in the document.</summary>
        public string Path { get; }
        /// <summary>The kind of mistake.</summary>
        public string Code { get; }
        /// <summary>What is wrong.</summary>
        public string Message { get; }

        /// <summary>A line with the place, as editors and terminals read it.</summary>
        public override string ToString()
        {
            string place = Line == null ? "" : File + ":" + Line + ":" + Column + ": ";
            return place + (string.IsNullOrEmpty(Path) ? "" : Path + ": ") + Message;
        }
    }

    /// <summary>What failed of a deployment.</summary>
    public sealed class Failure
    {
        /// <summary>From an item of failures.</summary>
        public Failure(IDictionary message)
        {
            Code = Member.Text(message, "code");
            Category = Member.Text(message, "category");
            Message = Member.Text(message, "message");
            Recommendation = Member.Text(message, "recommendation");
            Target = Member.Text(message, "target");
            ResourceId = Member.Text(message, "resourceId");
            RequestId = Member.Text(message, "requestId");
            Document = Member.Text(message, "document");
        }

        /// <summary>The error code.</summary>
        public string Code { get; }
        /// <summary>PowerShell's category of errors.</summary>
        public string Category { get; }
        /// <summary>What went wrong.</summary>
        public string Message { get; }
        /// <summary>What to do, or null.</summary>
        public string Recommendation { get; }
        /// <summary>What it is about, or null.</summary>
        public string Target { get; }
        /// <summary>The resource, or null.</summary>
        public string ResourceId { get; }
        /// <summary>Azure's x-ms-request-id, or null.</summary>
        public string RequestId { get; }
        /// <summary>The document of a deployment, or null.</summary>
        public string Document { get; }

        /// <summary>What went wrong, and what to do.</summary>
        public override string ToString() { return (Message + " " + Recommendation).TrimEnd(); }
    }

    /// <summary>A parameter of a template.</summary>
    public sealed class TemplateParameter
    {
        /// <summary>From an item of parameters.</summary>
        public TemplateParameter(IDictionary message)
        {
            Name = Member.Text(message, "name");
            Secret = true.Equals(message["secret"]);
            Default = Member.Text(message, "default");
            Description = Member.Text(message, "description");
        }

        /// <summary>The name.</summary>
        public string Name { get; }
        /// <summary>Whether it has to be given, because it is in no template.</summary>
        public bool Secret { get; }
        /// <summary>The default, or null.</summary>
        public string Default { get; }
        /// <summary>What it is.</summary>
        public string Description { get; }

        /// <summary>The name, and whether it has to be given.</summary>
        public override string ToString() { return Secret ? Name + " (secret, has to be given)" : Name; }
    }

    /// <summary>How a template is deployed.</summary>
    public sealed class TemplateCall
    {
        /// <summary>From an item of calls.</summary>
        public TemplateCall(IDictionary message)
        {
            Tool = Member.Text(message, "tool");
            Command = Member.Text(message, "command");
        }

        /// <summary>The tool that deploys it.</summary>
        public string Tool { get; }
        /// <summary>The command line.</summary>
        public string Command { get; }

        /// <summary>Both.</summary>
        public override string ToString() { return Tool + ":" + Environment.NewLine + "    " + Command; }
    }
}
