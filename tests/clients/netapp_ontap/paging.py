"""Many at once: paging, order, filters with operators, changes and deletions of all that match, SVM tunnelling."""

from checks import check, same, true, within
from lab import GB, MB, SVM, connection, fresh, names, raw, refused_raw, value
from netapp_ontap.resources import Job, Lun, Volume

PATHS = [f"/vol/thin/p{number}" for number in range(1, 10)]


def collections(lab):
    with check("collection: nine LUNs of rising size"):
        for number, path in enumerate(PATHS, 1):
            Lun(name=path, svm={"name": SVM}, os_type="linux", space={"size": number * 100 * MB, "guarantee": {"requested": False}}).post()
        same(Lun.count_collection(name="/vol/thin/p*"), 9, "the number of LUNs")
    with check("collection: pages of four hold them all"):
        same(names(Lun.get_collection(name="/vol/thin/p*", max_records=4)), PATHS, "LUNs")
    with check("collection: a page and its next link"):
        page = raw("GET", "/api/storage/luns", params={"name": "/vol/thin/p*", "max_records": 4}).json()
        same((page["num_records"], len(page["records"])), (4, 4), "the first page")
        true(page["_links"]["next"]["href"].startswith("/api/storage/luns?"), f"the next link is {page['_links']['next']}")
        last = raw("GET", raw("GET", page["_links"]["next"]["href"]).json()["_links"]["next"]["href"]).json()
        same((last["num_records"], "next" in last["_links"]), (1, False), "the last page")
    with check("collection: order_by, up and down"):
        same([each.name for each in Lun.get_collection(name="/vol/thin/p*", order_by="space.size desc")], PATHS[::-1], "LUNs")
        same([each.name for each in Lun.get_collection(name="/vol/thin/p*", order_by="os_type,name", max_records=2)], PATHS, "LUNs")
    sizes = {"space.size": f">{500 * MB}"}, {"space.size": f"{200 * MB}..{400 * MB}"}, {"space.size": f"<={300 * MB}"}, {"space.size": f"!{300 * MB}"}
    for query, wanted in zip(sizes, (PATHS[5:], PATHS[1:4], PATHS[:3], PATHS[:2] + PATHS[3:])):
        with check(f"filter: space.size is {query['space.size']}"):
            same(names(Lun.get_collection(name="/vol/thin/p*", **query)), wanted, "LUNs")
    with check("filter: one of several names"):
        same(names(Lun.get_collection(name="/vol/thin/p1|/vol/thin/p3")), [PATHS[0], PATHS[2]], "LUNs")
    with check("filter: not a pattern"):
        same(names(Lun.get_collection(**{"name": "!/vol/thin/p*", "location.volume.name": "thin"})), ["/vol/thin/lun2"], "LUNs")
    with check("filter: several fields at once"):
        same(names(Lun.get_collection(**{"location.volume.name": "thin", "os_type": "linux", "space.size": f"<{250 * MB}"})), PATHS[:2], "LUNs")
    with check("filter: nothing matches"):
        same(list(Lun.get_collection(name="/vol/none/*")), [], "LUNs")
    with check("find: the one that matches"):
        same(Lun.find(name="/vol/thin/p5").name, "/vol/thin/p5", "name")
        same(Lun.find(name="/vol/thin/p55"), None, "what is not there")
    with check("fields: only those that are asked for, and the keys"):
        record = raw("GET", "/api/storage/luns", params={"name": "/vol/thin/p1", "fields": "space.size"}).json()["records"][0]
        same(record["space"], {"size": 100 * MB}, "space")
        within("uuid", record, "the record")
        true("os_type" not in record and "serial_number" not in record, f"the record has more: {record}")
    with check("collection: all that match are changed"):
        Lun.patch_collection({"comment": "many"}, name="/vol/thin/p*")
        same(Lun.count_collection(comment="many"), 9, "the number of LUNs with the comment")
    with check("collection: all that match are deleted"):
        Lun.delete_collection(name="/vol/thin/p1|/vol/thin/p2")
        same(Lun.count_collection(name="/vol/thin/p*"), 7, "the number of LUNs")
        Lun.delete_collection(name="/vol/thin/p*")
        same(Lun.count_collection(name="/vol/thin/p*"), 0, "the number of LUNs")
    with check("collection: volumes that match are changed, by jobs"):
        for name in ("many1", "many2"):
            Volume(name=name, svm={"name": SVM}, aggregates=[{"name": "data1"}], size=GB, guarantee={"type": "none"}).post()
        Volume.patch_collection({"comment": "together"}, name="many*", **{"svm.name": SVM})
        same(names(Volume.get_collection(comment="together")), ["many1", "many2"], "volumes")
    with check("collection: volumes that match are deleted, by jobs"):
        Volume.delete_collection(name="many*", **{"svm.name": SVM})
        same(Volume.count_collection(name="many*"), 0, "the number of volumes")


def jobs(lab):
    with check("jobs: those of the volumes succeeded"):
        found = list(Job.get_collection(state="success", description="POST /api/storage/volumes*", fields="*"))
        true(len(found) >= 3, f"there are {len(found)}")
        for job in found:
            true(job.start_time is not None and job.end_time is not None, f"times of job {job.uuid}")
    with check("jobs: one by its uuid"):
        first = next(iter(Job.get_collection(state="success", max_records=1)))
        job = Job(uuid=first.uuid)
        job.get(fields="state,message,code")
        same((job.state, value(job, "code")), ("success", 0), "state and code")


def tunnelling(lab):
    with check("tunnelling: a header chooses the SVM"):
        with connection(headers={"X-Dot-SVM-Name": SVM}):
            made = Lun(name="/vol/thin/tunnelled", os_type="linux", space={"size": 100 * MB})
            made.post(hydrate=True)
            same(value(made, "svm.name"), SVM, "svm.name")
            within("/vol/thin/tunnelled", names(Lun.get_collection()), "the LUNs of the SVM")
        with connection(headers={"X-Dot-SVM-Name": "vs2"}):
            same(list(Lun.get_collection()), [], "the LUNs of the other SVM")
        fresh(Lun, name="/vol/thin/tunnelled").delete()


def protocol(lab):
    with check("protocol: a path that ONTAP does not have"):
        refused_raw(3, 404, "GET", "/api/storage/floppies")
    with check("protocol: a method that a path does not have"):
        refused_raw([3, 7], 405, "DELETE", "/api/cluster/nodes")
    with check("protocol: a body that is no JSON"):
        refused_raw([262199, 262201], 400, "POST", "/api/storage/luns", data="{", headers={"Content-Type": "application/json"})
    with check("protocol: a field that a LUN does not have"):
        body = {"name": "/vol/thin/x", "svm": {"name": SVM}, "os_type": "linux", "space": {"size": GB}, "colour": "red"}
        refused_raw([262179, 2], 400, "POST", "/api/storage/luns", json=body)
    with check("protocol: names with dots in a body, and numbers as words"):
        answer = raw(
            "POST",
            "/api/storage/luns?return_records=true",
            json={"name": "/vol/thin/dots", "svm.name": SVM, "os_type": "linux", "space.size": str(100 * MB)},
        )
        same((answer.status_code, answer.json()["num_records"], answer.json()["records"][0]["name"]), (201, 1, "/vol/thin/dots"), "the answer")
        same(value(fresh(Lun, name="/vol/thin/dots"), "space.size"), 100 * MB, "space.size")
        same(raw("DELETE", "/api/storage/luns", params={"name": "/vol/thin/dots"}).status_code, 200, "the status of the deletion")
    with check("protocol: slashes too many are no matter"):
        same(raw("GET", "/api//cluster/").json()["name"], "lab", "name")
    with check("protocol: HEAD and OPTIONS"):
        same(raw("HEAD", "/api/cluster").status_code, 200, "the status of HEAD")
        within("GET", raw("OPTIONS", "/api/storage/luns").headers.get("Allow", ""), "Allow")
    with check("protocol: links are sent when they are asked for"):
        cluster = raw("GET", "/api/cluster", headers={"Accept": "application/hal+json"})
        within("_links", cluster.json(), "the cluster")
        true(cluster.headers["Content-Type"].startswith("application/hal+json"), f"Content-Type is {cluster.headers['Content-Type']}")
